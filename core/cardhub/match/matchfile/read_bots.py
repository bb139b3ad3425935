"""Reader of the section `bots` of a match file."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cardhub.errors import OptionError, PluginError
from cardhub.match.match_spec import Contest, Entrant
from cardhub.match.matchfile.section import NON_EMPTY, FileSection
from cardhub.play.player_names import RESERVED
from cardhub.play.seating import HUMAN
from cardhub.plugins.registry import PluginRegistry
from cardhub.yamlfile import NAME, Diagnostics, Node, quote

KEYS = ("id", "use", "plays")
TAKEN = (*RESERVED, HUMAN, "spectator")
FEWEST = 2


class ReadBot(NamedTuple):
    """Bot as read from the file; `id` is empty if it is missing or invalid."""

    id: str
    use: str
    section: FileSection


def read_bots(top: FileSection, problems: Diagnostics) -> list[ReadBot]:
    """Return the bots of a match, whose contests are not known yet."""
    nodes = top.items("bots", "a list of bots")
    found = [_read_bot(node, problems) for node in nodes]
    if nodes and len(nodes) < FEWEST:
        top.report("bots", "a match has at least two bots")
    _reject_duplicates(found)
    return found


def entrants(
    bots: Sequence[ReadBot],
    contests: Sequence[Contest],
    names: Collection[str],
    registry: PluginRegistry,
) -> tuple[Entrant, ...]:
    """Return the entrants with their contests: those listed in `plays`, by default all.

    `names` are the names of all contests, including invalid ones.
    """
    return tuple(_entrant(bot, contests, names, registry) for bot in bots)


def _read_bot(node: Node, problems: Diagnostics) -> ReadBot:
    section = FileSection(node, KEYS, "a mapping such as {id: mine, use: rule}", problems)
    section.require("id", "use")
    name = section.text("id", NAME)
    if name.casefold() in TAKEN:
        section.report("id", f"invalid bot id {name!r}: reserved word")
    return ReadBot(name, section.text("use", NON_EMPTY).strip(), section)


def _reject_duplicates(bots: Sequence[ReadBot]) -> None:
    first: dict[str, int] = {}
    for bot in filter(lambda bot: bot.id, bots):
        line = first.setdefault(bot.id.casefold(), bot.section.node("id").line)
        if line != bot.section.node("id").line:
            bot.section.report("id", f"duplicate id {quote(bot.id)}, first on line {line}")


def _entrant(
    bot: ReadBot, contests: Sequence[Contest], names: Collection[str], registry: PluginRegistry
) -> Entrant:
    plays = bot.section.names("plays", names, "games of this match") or tuple(names)
    games = [contest.game for contest in contests if contest.id in plays]
    refusal = next(_refusals(bot.use, games, registry), "") if bot.use else ""
    if refusal:
        bot.section.report("use", refusal)
    return Entrant(bot.id, bot.use, plays)


def _refusals(spec: str, games: Sequence[str], registry: PluginRegistry) -> Iterator[str]:
    for game in dict.fromkeys(games):
        try:
            registry.settings_of(spec, game)
        except (PluginError, OptionError) as error:
            yield str(error)
