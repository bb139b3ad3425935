"""Suites of deals: files with positions of earlier games, at which the games of a match begin.

The first line of a file has the game, its version, the number of players and the options; each
further line is a position.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, to_builtins

from cardhub.base.errors import CardhubError, MatchError
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.match_spec import Opening, canonical
from cardhub.lab.match.task import GameTask, player_names
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value
from cardhub.play.records.header import PlayedOn, fits, read_faces
from cardhub.play.records.replaying import read_entry
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

FORMAT = 1
# All positions are in the first line of a match's log, and in its result.
MOST_POSITIONS = 500


class SuiteHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """What all positions of a suite have in common."""

    cardhub_deals: int
    game: str
    version: str
    players: int
    options: dict[str, Value]


class Suite(NamedTuple):
    """Positions of a game, in the order in which a match plays them."""

    header: SuiteHeader
    openings: tuple[Opening, ...]

    @property
    def options(self) -> dict[str, Value]:
        """The options of the games."""
        return self.header.options


def suite_text(suite: Suite) -> str:
    """Encode a suite as the text of a file."""
    lines: list[Struct] = [suite.header, *suite.openings]
    return "".join(canonical(to_builtins(line)) + "\n" for line in lines)


def read_suite(path: Path) -> Suite:
    """Return the suite in a file; raises MatchError, also for a position out of the rules."""
    with explained(path):
        first, *lines = path.read_bytes().splitlines() or [b""]
    try:
        header = msgspec.json.decode(first, type=SuiteHeader)
    except msgspec.MsgspecError as error:
        raise MatchError(f"{path}:1: not a suite of deals: {error}") from error
    if header.cardhub_deals != FORMAT:
        raise MatchError(f"{path}:1: format {header.cardhub_deals} instead of {FORMAT}")
    openings = []
    for number, line in enumerate(lines, 2):
        try:
            openings.append(msgspec.json.decode(line, type=Opening))
        except msgspec.MsgspecError as error:
            raise MatchError(f"{path}:{number}: {error}") from error
    if not 0 < len(openings) <= MOST_POSITIONS:
        raise MatchError(f"{path}: it has {len(openings)} positions, not 1 to {MOST_POSITIONS}")
    return Suite(header, tuple(openings))


def check_suite(suite: Suite, game: Game[Any], path: Path) -> None:
    """Raise MatchError unless every position is one of the game in which a seat is to act."""
    header = suite.header
    if header.version != game.version:
        raise MatchError(
            f"{path}:1: its positions are of version {header.version} of {game.name}, and this is "
            f"version {game.version}"
        )
    players = [Player(name, "random") for name in player_names(["random"] * header.players)]
    for number, opening in enumerate(suite.openings, 2):
        try:
            _check_cards(opening, game, header)
            referee = referee_at(opening, game, players, header.options, 0)
        except (CardhubError, LookupError) as error:
            raise MatchError(f"{path}:{number}: {error}") from error
        if referee.seat < 0:
            raise MatchError(f"{path}:{number}: no seat is to act in this position")


def _check_cards(opening: Opening, game: Game[Any], header: SuiteHeader) -> None:
    pack = game.pack(resolve_options(game, header.options, header.players), header.players)
    if not fits(read_faces(game, opening.cards).faces, pack):
        raise MatchError(f"the cards are not those of {game.title}")


def referee_at(
    opening: Opening,
    game: Game[Any],
    players: Sequence[Player],
    options: dict[str, Value],
    seed: str | int,
) -> Referee[Any]:
    """Return the referee of a game after the moves of an opening; later chance has the seed.

    Raises CardhubError or LookupError.
    """
    settings = resolve_options(game, options, len(players))
    deal = read_faces(game, opening.cards)
    source = PlayedOn(opening.source, opening.step)
    referee = Referee(game, players, settings, seed, list(deal.faces), deal.backs, played_on=source)
    for seat, move in opening.moves:
        kind, value = ("action", move) if isinstance(move, str) else ("shuffle", list(move))
        referee.apply_entry(read_entry(referee, {"seat": seat, kind: value}))
    return referee


def referee_of(task: GameTask, game: Game[Any]) -> Referee[Any]:
    """Return the referee of a game of a match before the first action of its bots.

    `proceed` has not been called yet.
    """
    names = player_names([seat.bot for seat in task.seats])
    kinds = (task.limits.substitute if seat.is_absent else seat.use for seat in task.seats)
    players = [Player(name, kind) for name, kind in zip(names, kinds, strict=True)]
    options = {**task.rules, **task.vary}
    if task.opening is None:
        return set_up(game, players, options, task.seed)
    return referee_at(task.opening, game, players, options, task.seed)
