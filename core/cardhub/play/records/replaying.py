"""Replay the actions of records through a referee, and resume unfinished games."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from cardhub.base.errors import CardhubError, IllegalActionError, RecordError
from cardhub.model.game.game import Display, Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.hidden.observation import known_action
from cardhub.model.table.faces import BLANK, Faces, MaskedFaces
from cardhub.model.table.scoring import returns
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, State
from cardhub.play.history_entries import (
    NOTES,
    EditionChanged,
    Ended,
    Entry,
    Hinted,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
)
from cardhub.play.records.header import (
    fits,
    read_edition_key,
    read_faces,
    read_key,
    read_list,
    read_player,
)
from cardhub.play.records.reading import Record
from cardhub.play.records.recording import Sync, continue_record
from cardhub.play.referee import Referee
from cardhub.play.seating import check_names

NO_CARD = "it names a card that is not in the game"


def open_record(game: Game[Any], record: Record) -> Referee[Any]:
    """Return a referee in the initial state of a recorded game; raises RecordError."""
    header = record.header
    if header.version != game.version:
        raise record.wrong(
            1, f"recorded with {game.name} version {header.version}; version {game.version} is here"
        )
    try:
        settings = resolve_options(game, header.options, len(header.players))
        deal = read_faces(game, header.deal)
    except LookupError as error:
        raise record.wrong(1, error, NO_CARD) from error
    except CardhubError as error:
        raise record.wrong(1, error) from error
    if BLANK in deal.faces and header.viewer is None:
        raise record.wrong(1, "only a record redacted for a 'viewer' may lack cards of the deal")
    _check_deal(game, record, settings, deal.faces)
    faces: Faces = list(deal.faces)
    if header.viewer is not None:
        # Even if the whole deal is known: after a shuffle, faces may be blank.
        faces = MaskedFaces(list(deal.faces))
    referee = Referee(
        game,
        header.players,
        settings,
        header.seed or 0,
        faces,
        deal.backs,
        header.answers,
        header.commitment,
        header.played_on,
    )
    referee.helps, referee.edition = header.helps, header.edition
    return referee


def replay(record: Record, referee: Referee[Any]) -> Iterator[int]:
    """Replay a record line by line, yielding the number of each replayed line.

    Raises RecordError for the first line that is illegal or has wrong scores.
    """
    for number, line in record.lines:
        if "answers" in line and record.header.viewer is None:
            raise record.wrong(number, "only a redacted record has 'answers'")
        try:
            referee.apply_entry(read_entry(referee, line))
        except LookupError as error:
            raise record.wrong(number, error, NO_CARD) from error
        except CardhubError as error:
            raise record.wrong(number, error) from error
        yield number


def replayed(record: Record, referee: Referee[Any]) -> Referee[Any]:
    """Replay all lines of a record and return the referee; raises RecordError."""
    for _ in replay(record, referee):
        pass
    return referee


def replay_to_end(record: Record, referee: Referee[Any]) -> Iterator[None]:
    """Replay a record line by line, and publish the result even if the record lacks it.

    The record of a game that was killed after its last action ends without scores. Raises as
    `replay`.
    """
    for _ in replay(record, referee):
        yield
    if referee.is_over and not isinstance(referee.entries[-1], Ended):
        # The outcome of a shuffle may be missing as well; then the game is not settled.
        with suppress(IllegalActionError):
            referee.apply_entry(referee.result())
            yield


def resume(game: Game[Any], record: Record, later: Sync | None = None) -> Referee[Any]:
    """Return a referee that continues an unfinished game and appends to its record.

    `later` is as in `record_to`. `proceed` has not been called yet. Raises RecordError if the game
    is over or the record is redacted.
    """
    if record.is_finished:
        raise RecordError(f"{record.path}: this game is over; replay it instead")
    if record.header.viewer is not None:
        raise RecordError(f"{record.path}: a record redacted for one seat cannot be played on")
    # Replayed first: the file of an invalid record is not changed.
    referee = replayed(record, open_record(game, record))
    continue_record(referee, record.path, record.size, later)
    return referee


def read_entry(referee: Referee[Any], line: dict[str, Any]) -> Entry:
    """Return the entry of a line for the present state; raises RecordError."""
    if "scores" in line:
        return _read_end(referee, line)
    if "shuffle" in line:
        if line["seat"] != "chance":
            raise RecordError(f"only 'chance' shuffles, not {line['seat']!r}")
        return Shuffled(read_faces(referee.game, read_list(line, "shuffle", str)))
    if "action" in line:
        seat = CHANCE if line["seat"] == "chance" else _seat(referee, line["seat"])
        return Taken(seat, referee.read_action(read_key(line, "action", str)))
    if "edition" in line:
        changes = read_list(line, "changes", str)
        if not all(text.isprintable() for text in changes):
            raise RecordError("'changes' are texts that can be printed")
        return EditionChanged(read_edition_key(line), changes)
    return _table_entry(referee, _seat(referee, line["seat"]), line)


def _table_entry(referee: Referee[Any], seat: int, line: dict[str, Any]) -> Entry:
    """Return the entry of a line that is not a step of the rules."""
    if "undo" in line:
        # No isinstance: true in JSON becomes True, which equals 1.
        if type(line["undo"]) is not int or line["undo"] != 1:
            raise RecordError(f"'undo' is 1: one action is taken back, not {line['undo']!r}")
        return Undone(seat)
    if "hint" in line:
        bot = read_key(line, "hint", str)
        if not bot.isprintable():
            raise RecordError(f"'hint' is a bot as text that can be printed, not {bot!r}")
        return Hinted(seat, bot)
    if "takeback" in line:
        answers = read_list(line, "answers", bool) if "answers" in line else ()
        count, agreed = read_key(line, "takeback", int), read_list(line, "agreed", int)
        if line.get("chance", "anew") != "anew":
            raise RecordError(f"'chance' is anew, or left out, not {line['chance']!r}")
        return TakenBack(seat, count, agreed, answers, "chance" in line)
    if "player" in line:
        player = read_player(line["player"])
        check_names([player])
        agreed = read_list(line, "agreed", int) if "agreed" in line else ()
        return Seated(seat, player, agreed, _seat(referee, line["by"]) if "by" in line else None)
    if line["note"] not in NOTES:
        raise RecordError(f"'note' is {', '.join(NOTES)}, not {line['note']!r}")
    return Noted(seat, line["note"])


def _seat(referee: Referee[Any], written: object) -> int:
    if type(written) is not int or not 0 <= written < len(referee.players):
        raise RecordError(f"there is no seat {written!r} at this table")
    return written


def _check_deal(
    game: Game[Any], record: Record, settings: Settings, faces: tuple[int, ...]
) -> None:
    pack = game.pack(settings, len(record.header.players))
    options = ", ".join(f"{name} {value}" for name, value in settings.items())
    cards = f"{game.title} has {len(pack)}" + (f" ({options})" if options else "")
    if len(faces) != len(pack):
        raise record.wrong(1, f"the deal has {len(faces)} cards; {cards}")
    if not fits(faces, pack):
        # The title alone is public: the cards may be hidden in an unfinished game.
        wrong, lacking = _names(game, faces, pack), _names(game, pack, faces)
        title = f"the deal does not hold the cards of {game.title}"
        raise record.wrong(1, f"{title}: {wrong} instead of {lacking}; {cards}", title)


def _names(game: Game[Any], faces: Sequence[int], others: Sequence[int]) -> str:
    # Only the cards that `faces` has more often than `others`.
    surplus = Counter(faces) - Counter(others)
    return " ".join(game.cards.faces[face].name for face in surplus.elements() if face != BLANK)


def _read_end(referee: Referee[Any], line: dict[str, Any]) -> Ended:
    if not referee.is_over:
        raise RecordError("scores before the end of the game")
    result = referee.result()
    # Records from before games had goals have returns by place in all games.
    by_place = returns(result.scores, lowest_wins=referee.game.lowest_wins)
    for key in ("scores", "places", "returns"):
        true = list(getattr(result, key))
        if line[key] != true and (key, line[key]) != ("returns", by_place):
            raise RecordError(f"{key} are {line[key]}, but this game ends with {true}")
    if "sides" in line and line["sides"] != list(result.sides):
        sides = f"sides are {line['sides']}, but this game ends with {list(result.sides)}"
        raise RecordError(sides)
    if "reveal" in line and (referee.commitment is None or line["reveal"] != referee.seed):
        raise RecordError("'reveal' is the seed of the first line, if that has a commitment")
    return result


def record_notes(game: Game[Any], record: Record, seat: int) -> Mapping[str, Frequency]:
    """Return the counts of a game for a seat in a finished record; raises RecordError.

    A record redacted for another seat has faces that this seat saw as unseen ones: then
    HiddenFaceError is raised.
    """
    # Without the method no state need be copied, and most games have none.
    if type(game.display).player_statistics is Display.player_statistics:
        return {}
    return game.display.player_statistics(played_steps(game, record, seat), seat)


def played_steps(game: Game[Any], record: Record, viewer: int) -> list[PlayedStep[State]]:
    """Return the actions of a record as a viewer saw them, without those that were undone.

    A round of simultaneous choices is one step.
    """
    referee = open_record(game, record)
    before, steps = referee.observable(), list[PlayedStep[State] | None]()
    for _ in replay(record, referee):
        after = referee.observable()
        match referee.entries[-1]:
            case Taken() if after.has_secret_choices:
                steps.append(None)
            case Taken(seat, action):
                first, second = before.observe_step(viewer, action, after)
                known = known_action(game, seat, action, viewer)
                steps.append(PlayedStep(first.state, known, second.state))
            case Undone():
                steps.pop()
            case TakenBack(_, count):
                del steps[-count:]
        before = after
    return [step for step in steps if step is not None]
