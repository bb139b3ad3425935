"""The section `bots` of a match file."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cardhub.errors import OptionError, PluginError
from cardhub.match.matchfile.section import SOMETHING, Section
from cardhub.match.spec import Contest, Entrant
from cardhub.play.player_names import RESERVED
from cardhub.play.seating import HUMAN
from cardhub.plugins.registry import PluginRegistry
from cardhub.yamlfile import NAME, Diagnostics, Node, quote

KEYS = ("id", "use", "plays")
TAKEN = (*RESERVED, HUMAN, "spectator")
FEWEST = 2


class ReadBot(NamedTuple):
    """A bot as it stands in the file; `id` is empty if it has no good one."""

    id: str
    use: str
    section: Section


def read_bots(top: Section, problems: Diagnostics) -> list[ReadBot]:
    """Return the bots of a match, without knowing yet what they play."""
    nodes = top.items("bots", "a list of bots")
    found = [_read_bot(node, problems) for node in nodes]
    if nodes and len(nodes) < FEWEST:
        top.complain("bots", "a match has at least two bots")
    _refuse_twins(found)
    return found


def entrants(
    bots: Sequence[ReadBot],
    contests: Sequence[Contest],
    names: Collection[str],
    registry: PluginRegistry,
) -> tuple[Entrant, ...]:
    """Return the bots with the contests they play in: all, unless the file says which.

    `names` are those of all contests, even of such as are wrong themselves.
    """
    return tuple(_entrant(bot, contests, names, registry) for bot in bots)


def _read_bot(node: Node, problems: Diagnostics) -> ReadBot:
    section = Section(node, KEYS, "a mapping such as {id: mine, use: rule}", problems)
    section.need("id", "use")
    name = section.text("id", NAME)
    if name.casefold() in TAKEN:
        section.complain("id", f"no bot can be called {name!r}: the word has a meaning of its own")
    return ReadBot(name, section.text("use", SOMETHING).strip(), section)


def _refuse_twins(bots: Sequence[ReadBot]) -> None:
    first: dict[str, int] = {}
    for bot in filter(lambda bot: bot.id, bots):
        line = first.setdefault(bot.id.casefold(), bot.section.node("id").line)
        if line != bot.section.node("id").line:
            bot.section.complain("id", f"duplicate id {quote(bot.id)}, first on line {line}")


def _entrant(
    bot: ReadBot, contests: Sequence[Contest], names: Collection[str], registry: PluginRegistry
) -> Entrant:
    plays = bot.section.names("plays", names, "games of this match") or tuple(names)
    games = [contest.game for contest in contests if contest.id in plays]
    refusal = next(_refusals(bot.use, games, registry), "") if bot.use else ""
    if refusal:
        bot.section.complain("use", refusal)
    return Entrant(bot.id, bot.use, plays)


def _refusals(spec: str, games: Sequence[str], registry: PluginRegistry) -> Iterator[str]:
    """Yield why the bot cannot play a game."""
    for game in dict.fromkeys(games):
        try:
            registry.settings_of(spec, game)
        except (PluginError, OptionError) as error:
            yield str(error)
