"""Names of entry-point groups and hooks; reading them imports no plugin, game or bot."""

GAMES = "cardhub.games"
PLUGINS = "cardhub.plugins"
GROUPS = (GAMES, PLUGINS)
COMMANDS_HOOK = "register_commands"
