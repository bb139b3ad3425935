"""Saved games in one line each, read from the first and the last line of their records."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors import RecordError
from cardhub.base.files import LimitError, read_within, record_access
from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.play.host.replays.viewpoints import default_viewer, permitted_viewers
from cardhub.play.host.saved.saves import last_change, saved_games
from cardhub.play.records.reading import header_of, read_record, seating_of
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.seating import Player

# Keys of lines after the first. In a text of JSON the quotes would be escaped.
ACTION, HINT, PLAYER = b'"action":', b'"hint":', b'"player":'
UNDO, TAKEBACK = b'"undo":', b'"takeback":'


class SavedGame(NamedTuple):
    """A saved game without its actions; `number` counts from 1, the game played last first.

    `changed` is the time of the last action in seconds since the epoch. `scores` and `places` are
    by seat, and empty while the game is unfinished. `is_continued`: the game was played on from a
    step of another one, whose cards its players may have known. `players` are those at the end,
    `left` the seats that a person has left to a bot.
    """

    number: int
    path: Path
    game: str
    players: tuple[Player, ...]
    options: Mapping[str, Value]
    seed: Seed | None
    actions: int
    hints: int
    undos: int
    changed: float
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    is_continued: bool = False
    has_changed_players: bool = False
    left: tuple[int, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether the record ends with the scores."""
        return bool(self.scores)

    @property
    def is_helped(self) -> bool:
        """Whether a hint was asked for or an action taken back."""
        return self.hints + self.undos > 0

    @property
    def people(self) -> tuple[int, ...]:
        """The seats in which a person has played."""
        now = (seat for seat, player in enumerate(self.players) if player.is_human)
        return tuple(sorted((*now, *self.left)))

    @property
    def time(self) -> str:
        """The time of the last action in UTC, as in ISO 8601."""
        return datetime.fromtimestamp(self.changed, UTC).isoformat(timespec="seconds")


class SavedPosition(NamedTuple):
    """The present position of a saved game: its chapter, and the seat to act.

    The observation is that of the only person, else a spectator's; None where several people may
    not look at the same time. The chapter may be empty.
    """

    chapter: str
    seat: int
    observation: Observation[Any] | None


def list_saved(
    *, finished: bool | None = None, folder: Path | None = None
) -> Iterator[SavedGame | RecordError]:
    """Yield the saved games, the one played last first, and errors for unreadable records.

    With `finished`, only those that are over, or only those that are not; numbers count the games
    that are yielded. `folder` is the folder of saved games by default.
    """
    number = 0
    for path in saved_games(folder):
        try:
            found = read_saved(path, number + 1)
        except RecordError as error:
            # Yielded, not raised: an unreadable record must not hide the other games.
            yield error
            continue
        if finished is None or found.is_finished is finished:
            number += 1
            yield found


def read_saved(path: Path, number: int = 1) -> SavedGame:
    """Return the entry of one record; raises RecordError if its first or last line is invalid."""
    try:
        with record_access(path, "read"):
            data = read_within(path)
    except LimitError as error:
        raise RecordError(f"{path}:{error.line}: {error}") from error
    # An incomplete last line is left out, as when the record is read as a whole.
    first, _, rest = data[: data.rfind(b"\n") + 1].partition(b"\n")
    header = header_of(path, _decoded(path, first, 1))
    last = rest[rest.rfind(b"\n", 0, -1) + 1 :]
    end = _decoded(path, last, rest.count(b"\n") + 1) if b'"scores"' in last else {}
    seatings = [*enumerate(header.players), *_later_players(path, rest, len(header.players))]
    players = tuple(dict(seatings).values())
    return SavedGame(
        number,
        path,
        header.game,
        players,
        header.options,
        header.seed,
        actions=rest.count(ACTION),
        hints=rest.count(HINT),
        undos=rest.count(UNDO) + rest.count(TAKEBACK),
        changed=last_change(path) / 1e9,
        scores=_numbers(path, end, "scores", len(header.players)),
        places=_numbers(path, end, "places", len(header.players)),
        is_continued=header.played_on is not None,
        has_changed_players=len(seatings) > len(header.players),
        left=tuple(sorted({s for s, p in seatings if p.is_human and not players[s].is_human})),
    )


def find_position(game: Game[Any], saved: SavedGame) -> SavedPosition:
    """Replay a saved game to its present position; raises RecordError."""
    record = read_record(saved.path)
    referee = replayed(record, open_record(game, record))
    viewer = default_viewer(record)
    # Where spectators see hands that their owners do not see, several people share no view.
    is_permitted = viewer in permitted_viewers(game, record)
    observation: Observation[Any] = referee.observe(viewer if is_permitted else saved.people[0])
    chapter = as_text(game, "chapter", game.chapter(observation.state))
    return SavedPosition(chapter, referee.seat, observation if is_permitted else None)


def numbered(entries: Iterable[SavedGame | RecordError], number: int) -> SavedGame | None:
    """Return the entry with a number of its list, None if there is none."""
    games = (entry for entry in entries if isinstance(entry, SavedGame))
    return next((saved for saved in games if saved.number == number), None)


def _later_players(path: Path, rest: bytes, seats: int) -> Iterator[tuple[int, Player]]:
    if PLAYER in rest:
        for number, line in enumerate(rest.splitlines(), 2):
            if PLAYER in line:
                yield seating_of(path, number, _decoded(path, line, number), seats)


def _decoded(path: Path, line: bytes, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(found, dict):
        raise RecordError(f"{path}:{number}: a line is a JSON object")
    return found


def _numbers(path: Path, line: dict[str, Any], key: str, seats: int) -> tuple[int, ...]:
    if not line:
        return ()
    values = line.get(key)
    if not isinstance(values, list) or [type(value) for value in values] != [int] * seats:
        raise RecordError(f"{path}: {key!r} in the last line are not a number for each seat")
    return tuple(values)
