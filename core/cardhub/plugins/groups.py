"""Names of entry-point groups and hooks; reading them imports no plugin, game or bot."""

GAMES = "cardhub.games"
PLUGINS = "cardhub.plugins"
GROUPS = (GAMES, PLUGINS)
# The distribution that contains cardhub's own plugins.
OWN = "cardhub"
COMMANDS_HOOK = "register_commands"
# The distribution that contains cardhub's own games and plugins.
OWN = "cardhub"
