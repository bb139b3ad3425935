"""Saved games in one line each, read from the first and the last line of their records."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors import CardhubError, RecordError
from cardhub.base.files import LimitError, read_within, record_access
from cardhub.base.writing import amount, listed
from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed, game_scoring, resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import score_text
from cardhub.model.table.settings import Value
from cardhub.play.host.replays.viewpoints import default_viewer, permitted_viewers
from cardhub.play.host.saved.saves import last_change, saved_games
from cardhub.play.records.edition import Edition
from cardhub.play.records.reading import header_of, read_record, seating_of
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.result_text import result_sentence
from cardhub.play.seating import Player, bots_by_seat, names_by_seat
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import CardCatalogue, View

# Keys of lines after the first. In a text of JSON the quotes would be escaped.
ACTION, HINT, PLAYER, EDITION = b'"action":', b'"hint":', b'"player":', b'"edition":'
UNDO, TAKEBACK = b'"undo":', b'"takeback":'


class SavedGame(NamedTuple):
    """A saved game without its actions; `number` counts from 1, the game played last first.

    `changed` is the time of the last action in seconds since the epoch. `scores` and `places` are
    by seat, and empty while the game is unfinished. `is_continued`: the game was played on from a
    step of another one, whose cards its players may have known. `players` are those at the end,
    `left` the seats that a person has left to a bot. `edition`: the cards and rules it began with;
    with `has_changed_edition` it went on with other ones.
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
    sides: tuple[int, ...] = ()
    is_continued: bool = False
    has_changed_players: bool = False
    left: tuple[int, ...] = ()
    edition: Edition | None = None
    has_changed_edition: bool = False

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
    """The current position of a saved game: its chapter, and the seat to act.

    `observation`: the only person's, else a spectator's; None if several people play, who may not
    see each other's cards. The chapter may be empty.
    """

    chapter: str
    seat: int
    observation: Observation[Any] | None


def list_saved(
    *, finished: bool | None = None, folder: Path | None = None
) -> Iterator[SavedGame | RecordError]:
    """Yield the saved games, the one played last first, and errors for unreadable records.

    With `finished`, only finished games, or only unfinished games; numbers count the yielded games.
    `folder` is the folder of saved games by default.
    """
    number = 0
    for path in saved_games(folder):
        try:
            saved = read_saved(path, number + 1)
        except RecordError as error:
            # Yielded, not raised: an unreadable record must not hide the other games.
            yield error
            continue
        if finished is None or saved.is_finished is finished:
            number += 1
            yield saved


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
        sides=_numbers(path, end, "sides", len(header.players)) if "sides" in end else (),
        is_continued=header.played_on is not None,
        edition=header.edition,
        has_changed_edition=EDITION in rest,
        has_changed_players=len(seatings) > len(header.players),
        left=tuple(sorted({s for s, p in seatings if p.is_human and not players[s].is_human})),
    )


def find_position(game: Game[Any], saved: SavedGame) -> SavedPosition:
    """Replay a saved game to its present position; raises RecordError."""
    record = read_record(saved.path)
    referee = replayed(record, open_record(game, record))
    viewer = default_viewer(game, record)
    # Where spectators see hands that their owners do not see, several people share no view.
    is_permitted = viewer in permitted_viewers(game, record)
    observation: Observation[Any] = referee.observe(viewer if is_permitted else saved.people[0])
    chapter = as_text(game, "chapter", game.display.chapter(observation.state))
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
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(values, dict):
        raise RecordError(f"{path}:{number}: a line must be a JSON object")
    return values


def _numbers(path: Path, line: dict[str, Any], key: str, seats: int) -> tuple[int, ...]:
    if not line:
        return ()
    values = line.get(key)
    if not isinstance(values, list) or [type(value) for value in values] != [int] * seats:
        raise RecordError(f"{path}: {key!r} in the last line must be a whole number for each seat")
    return tuple(values)


MINUTE, HOUR, DAY = 60, 3600, 86400
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


class SavedLine(NamedTuple):
    """A saved game in words: `Gargon, round 9`, `your turn` or a result, `4 players`, an age.

    `players` is empty if the result names them.
    `error` is why the game cannot be replayed here, else empty; `chapter` is part of `title`.
    """

    title: str
    state: str
    players: str
    age: str
    chapter: str = ""
    error: str = ""


def describe_saved(
    registry: PluginRegistry, saved: SavedGame, now: float, *, replays: bool = True
) -> SavedLine:
    """Return a saved game in words; an unfinished one is replayed to its present position.

    Without `replays` the chapter and the turn are left out, which is faster.
    """
    age, players = time_ago(saved.changed, now), opponents(saved)
    try:
        game = registry.game(saved.game)
        if saved.is_finished:
            settings = resolve_options(game, saved.options, len(saved.players))
            if game.goal is Goal.COMMON:
                names = [player.name for player in saved.players]
                scoring = game_scoring(game, settings, len(names))
                text = result_sentence(names, saved.scores, scoring)
                return SavedLine(game.title, text, players, age)
            state = result_text(saved, game.unit_size(settings))
            # The result of more than two names them all.
            return SavedLine(game.title, state, players if len(saved.players) <= 2 else "", age)
        if not replays:
            return SavedLine(game.title, "", players, age)
        position = find_position(game, saved)
    except CardhubError as error:
        return SavedLine(saved.game, "cannot be replayed", players, age, error=str(error))
    except Exception as error:  # noqa: BLE001  # the code of a faulty game may raise anything
        text = f"{saved.game} failed: {type(error).__name__}: {error}"
        return SavedLine(saved.game, "cannot be replayed", players, age, error=text)
    title = f"{game.title}, {position.chapter}" if position.chapter else game.title
    return SavedLine(title, turn_text(saved, position), players, age, position.chapter)


def time_ago(then: float, now: float) -> str:
    """Return how long ago a time was: `2 hours ago`, `yesterday`, `19 Nov`, `19 Nov 2025`.

    Times are in seconds since the epoch; days are days of the local calendar.
    """
    passed = max(0, now - then)
    if passed < MINUTE:
        return "just now"
    if passed < HOUR:
        return amount(int(passed // MINUTE), "minute") + " ago"
    when, today = datetime.fromtimestamp(then), datetime.fromtimestamp(now)
    days = (today.date() - when.date()).days
    if days == 0 or passed < DAY / 4:
        return amount(int(passed // HOUR), "hour") + " ago"
    if days == 1:
        return "yesterday"
    if days < 7:
        return f"{days} days ago"
    return day_of(then, now)


def day_of(then: float, now: float) -> str:
    """Return a day: `today`, `yesterday`, `19 Nov`, or `19 Nov 2025` of another year."""
    when, today = datetime.fromtimestamp(then), datetime.fromtimestamp(now)
    days = (today.date() - when.date()).days
    if days in (0, 1):
        return ("today", "yesterday")[days]
    text = f"{when.day} {when:%b}"
    return text if when.year == today.year else f"{text} {when.year}"


def opponents(saved: SavedGame) -> str:
    """Return who plays: `against rule` of two, else `4 players`; `2 people` without bots."""
    bots = [player.kind for player in saved.players if not player.is_human]
    if len(saved.players) == 2 and len(bots) == 1:
        return f"against {bots[0]}"
    if not bots:
        return amount(len(saved.players), "person").replace("persons", "people")
    return amount(len(saved.players), "player")


def turn_text(saved: SavedGame, position: SavedPosition) -> str:
    """Return whose turn it is: `your turn` of the only person, else `Bob's turn`; may be empty."""
    if position.seat < 0:
        return ""
    if saved.people == (position.seat,):
        return "your turn"
    return f"{saved.players[position.seat].name}'s turn"


def result_text(saved: SavedGame, unit_size: int = 1) -> str:
    """Return the result: `won: Anna 19, Bob 17`, with all scores from the best place on.

    It begins with `won` or `lost` of two players, else with the person's place. Without exactly
    one person it begins with the winner's name.
    """
    rows = sorted(zip(saved.places, saved.players, saved.scores, strict=True), key=itemgetter(0))
    scores = [f"{player.name} {score_text(score, unit_size)}" for _, player, score in rows]
    return ": ".join(filter(None, (_outcome_text(saved), ", ".join(scores))))


def _outcome_text(saved: SavedGame) -> str:
    places = saved.places
    if len(places) > 1 and len(set(places)) == 1:
        return "draw"
    if len(saved.people) == 1 and len(places) > 1:
        place = places[saved.people[0]]
        if len(set(saved.sides) or places) == 2:
            return "won" if place == 1 else "lost"
        return ORDINALS.get(place, f"{place}th")
    return "" if len(places) == 1 else f"{_winners(saved, places)} won"


def _winners(saved: SavedGame, places: Sequence[int]) -> str:
    return listed([p.name for p, place in zip(saved.players, places, strict=True) if place == 1])


class SavedTable(NamedTuple):
    """The view of a saved game, and the faces and backs that it names."""

    view: View
    catalogue: CardCatalogue


def saved_table(game: Game[Any], saved: SavedGame) -> SavedTable | None:
    """Return the table as the only person sees it, else as a spectator does.

    None where a spectator's view would show several people their own hidden cards. Raises
    RecordError if the record cannot be replayed.
    """
    observation = find_position(game, saved).observation
    if observation is None:
        return None
    names, bots = names_by_seat(saved.players), bots_by_seat(saved.players)
    return SavedTable(build_view(observation, names, bots=bots), build_catalogue(game))
