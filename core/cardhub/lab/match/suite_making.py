"""Making a suite of deals from records: which decisions of earlier games become positions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import GAMES, read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.transcript import cards_of, moves_of, record_of
from cardhub.lab.match.match_spec import Opening
from cardhub.lab.match.suites import FORMAT, MOST_POSITIONS, Suite, SuiteHeader
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.play.history_entries import TakenBack, Undone
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee
from cardhub.play.setup import ask_to_act, close_bots
from cardhub.plugins.registry import PluginRegistry


class Decision(NamedTuple):
    """A decision of a recorded game: the game at that moment, and the name of its record."""

    referee: Referee[Any]
    source: str

    def opening(self) -> Opening:
        """Return the position; later moves of the game do not change it."""
        referee = self.referee
        return Opening(cards_of(referee), moves_of(referee), self.source, referee.action_count)


# Chooses positions among the decisions of one game, which change as the game goes on.
Choose = Callable[[Iterator[Decision]], Iterable[Opening]]


def take_every(number: int) -> Choose:
    """Return a function that chooses every decision with this number."""
    return lambda decisions: (
        decision.opening() for decision in islice(decisions, number - 1, None, number)
    )


def one_of_each_game(rng: Random, is_wanted: Callable[[Decision], bool]) -> Choose:
    """Return a function that draws one of the wanted decisions of a game, each equally likely."""

    def choose(decisions: Iterator[Decision]) -> Iterator[Opening]:
        drawn: Opening | None = None
        for number, decision in enumerate(filter(is_wanted, decisions), 1):
            if rng.randrange(number) == 0:
                drawn = decision.opening()
        if drawn is not None:
            yield drawn

    return choose


class Disagreement:
    """Whether new bots choose different actions in a decision."""

    def __init__(self, registry: PluginRegistry, bots: Sequence[str], seed: int) -> None:
        self._registry = registry
        self._bots = tuple(bots)
        self._seed = seed

    def __call__(self, decision: Decision) -> bool:
        """Return whether not all bots choose the same action; raises BotFaultError."""
        referee, source = decision
        actions = set()
        for spec in self._bots:
            rng = Random(f"{self._seed} {source} {referee.action_count} {spec}")
            bot = self._registry.make_bot(spec, referee.game.name, rng)
            try:
                actions.add(ask_to_act(referee, bot))
            finally:
                close_bots([bot])
        return len(actions) > 1


class MadeSuite(NamedTuple):
    """A suite with the numbers of games that it comes from, and of games left out."""

    suite: Suite
    games: int
    left_out: int


def make_suite(
    paths: Iterable[Path],
    registry: PluginRegistry,
    choose: Choose,
    rng: Random,
    game: str = "",
    most: int = MOST_POSITIONS,
) -> MadeSuite:
    """Return a suite of up to `most` positions from records, in an order drawn by `rng`.

    The first record, or the first one of the `game`, sets the game, options and players. Other
    records are left out, as are redacted ones. Raises MatchError or RecordError.
    """
    header: SuiteHeader | None = None
    openings: dict[tuple[object, ...], Opening] = {}
    games = left_out = 0
    for source, record in _records_in(paths, registry):
        its_header = _header_of(record, registry, game)
        header = header or its_header
        if its_header is None or its_header != header:
            left_out += 1
            continue
        games += 1
        for opening in choose(_decisions(registry.game(header.game), record, source)):
            openings.setdefault((opening.cards, opening.moves), opening)
    if header is None or not openings:
        raise MatchError("these records have no such decision")
    order = list(openings.values())
    rng.shuffle(order)
    return MadeSuite(Suite(header, tuple(order[:most])), games, left_out)


def _header_of(record: Record, registry: PluginRegistry, game: str) -> SuiteHeader | None:
    header = record.header
    is_wanted = game in ("", header.game) and registry.is_game(header.game)
    if header.viewer is not None or not is_wanted:
        return None
    rules = registry.game(header.game)
    if header.version != rules.version:
        return None
    players = len(header.players)
    options = dict(resolve_options(rules, header.options, players).items())
    return SuiteHeader(FORMAT, header.game, header.version, players, options)


def _records_in(paths: Iterable[Path], registry: PluginRegistry) -> Iterator[tuple[str, Record]]:
    """Yield records with their names: of files, folders of files, and folders of matches."""
    for path in paths:
        if (path / GAMES).exists():
            match = match_in(path)
            for _, result in read_games(path):
                game = registry.game(match.contest(result.contest).game)
                yield result.id, record_of(match, result, game, path / GAMES)
        elif path.is_dir():
            for file in sorted(path.glob("*.jsonl")):
                yield file.name, read_record(file)
        else:
            yield path.name, read_record(path)


def _decisions(game: Game[Any], record: Record, source: str) -> Iterator[Decision]:
    """Yield the moments at which a seat had a choice, up to the first action taken back."""
    referee = open_record(game, record)
    for _ in chain([0], replay(record, referee)):
        if referee.entries and isinstance(referee.entries[-1], Undone | TakenBack):
            return
        if referee.seat >= 0 and len(referee.observe(referee.seat).legal()) > 1:
            yield Decision(referee, source)
