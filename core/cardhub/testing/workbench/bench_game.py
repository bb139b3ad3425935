"""A game of the workbench: repeats the record of a position, and shows it to all seats."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from cardhub.base.errors import CardhubError, RecordError
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.errors.source_lines import raising_line
from cardhub.base.writing import amount
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.settings import Value
from cardhub.model.table.state import CHANCE
from cardhub.play.history_entries import Dealt, Ended, Shuffled, Taken
from cardhub.play.host.replays.replay import Replay, replay_so_far
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.turns.choices import KeptChoices
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, read_entry
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing.workbench.bench_messages import (
    BenchFault,
    BenchPosition,
    BenchQuestion,
    BenchReply,
    Choose,
    Explain,
    Explained,
    Look,
    NewDeal,
    PlayOn,
    ShownPosition,
    ShownStop,
    ShownTable,
    Unusable,
)
from cardhub.view.card_catalogue import build_catalogue

# Named in errors about the record of a position, which is in no file.
NO_PATH = Path("position")
NO_DEAL = "There is no position yet: deal first."
# Names of steps that are not actions.
EVENTS: Mapping[type, str] = {Dealt: "deal", Shuffled: "shuffle", Ended: "end"}
OTHER_DEAL = "The game cannot be dealt as before, so this is another deal with the same seed: {why}"


def answer_question(game: Game[Any], question: BenchQuestion) -> BenchReply:
    """Carry out a command at a position; return the position after it, or why that failed."""
    try:
        return _answer(game, question)
    except Exception as error:  # noqa: BLE001  # rules under development may raise anything
        return Unusable((fault_of(error),))


def fault_of(error: BaseException, sentence: str = "{why}") -> BenchFault:
    """Return an exception in a sentence, with the line of the game that raised it."""
    is_ours = isinstance(error, CardhubError)
    text = sentence.format(why=str(error) if is_ours else describe_exception(error))
    if isinstance(error, SyntaxError) and error.filename:
        return BenchFault(text, error.filename, error.lineno or 1)
    line = raising_line(error.__traceback__)
    return BenchFault(text, line.path, line.number) if line else BenchFault(text)


def _answer(game: Game[Any], question: BenchQuestion) -> BenchReply:
    command, position = question.command, question.position
    if isinstance(command, NewDeal):
        seats = command.seats or game.seats.default
        return _show(_deal(game, seats, command.options, command.seed))
    if position is None:
        return Unusable((BenchFault(NO_DEAL),))
    record = parse_record(NO_PATH, position.record.encode())
    if isinstance(command, Look):
        return _look(repeat_record(game, record), position, command.step)
    if isinstance(command, Explain):
        replay = _replay(repeat_record(game, record).referee)
        step = replay.last if position.step is None else position.step
        texts: list[str] = []
        ReplaySession(replay, step, command.viewer).explain(command.spot, texts.append)
        return Explained(texts[0])
    # The header is line 1 and the deal step 0, so line n + 1 has step n.
    lines = [line for line in record.lines if position.step is None or line[0] <= position.step + 1]
    repeated = repeat_record(game, record, lines)
    if isinstance(command, PlayOn):
        play_randomly(repeated.referee, command.actions)
        return _show(repeated)
    is_last = len(lines) == len(record.lines)
    choices = choose(repeated.referee, position.choices if is_last else {}, command)
    return _show(repeated, choices)


class Repeated(NamedTuple):
    """A game after the first `allowed` of the `lines` of a record, and why no more are repeated."""

    referee: Referee[Any]
    lines: int = 0
    allowed: int = 0
    faults: tuple[BenchFault, ...] = ()


def repeat_record(
    game: Game[Any], record: Record, lines: list[tuple[int, dict[str, Any]]] | None = None
) -> Repeated:
    """Repeat `lines` of a record, by default all, up to the first that the rules do not allow.

    If the cards or options have changed, the same seed deals anew, and no line is repeated.
    """
    lines = list(record.lines) if lines is None else lines
    header = record.header
    try:
        referee = open_record(game, record)
    except RecordError as error:
        try:
            anew = _deal(game, len(header.players), header.options, header.seed or 0)
        except CardhubError:  # options or seats that are gone
            anew = _deal(game, game.seats.default, {}, header.seed or 0)
        return anew._replace(lines=len(lines), faults=(fault_of(error, OTHER_DEAL),))
    faults: tuple[BenchFault, ...] = ()
    allowed = 0
    try:
        for _, line in lines:
            referee.apply_entry(read_entry(referee, line))
            allowed += 1
    except Exception as error:  # noqa: BLE001  # rules under development may raise anything
        faults = (
            fault_of(
                error, f"Only {allowed} of {amount(len(lines), 'line')} can be repeated: {{why}}"
            ),
        )
    return Repeated(referee, len(lines), allowed, (*faults, *_proceed(referee)))


def choose(referee: Referee[Any], kept: Mapping[int, int], command: Choose) -> dict[int, int]:
    """Take an action; of several seats that choose at the same time, when all have chosen.

    Return the choices that are kept until then.
    """
    choices = KeptChoices(referee)
    chosen = {**kept, command.seat: command.action}
    for seat, action in chosen.items():
        choices.keep(seat, action)
    if choices.missing:
        return chosen
    for action in choices.end().values():
        referee.apply(action)
    return {}


def play_randomly(referee: Referee[Any], most: int) -> None:
    """Take random legal actions; the same position continues in the same way."""
    rng = Random(f"{referee.seed} workbench {referee.action_count}")
    for _ in range(most):
        if referee.is_over:
            return
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))


def _deal(game: Game[Any], seats: int, options: Mapping[str, Value], seed: int | str) -> Repeated:
    players = [Player(name, HUMAN) for name in NAMES[:seats]]
    referee = set_up(game, players, options, seed)
    return Repeated(referee, faults=_proceed(referee))


def _proceed(referee: Referee[Any]) -> tuple[BenchFault, ...]:
    try:
        referee.proceed()
    except Exception as error:  # noqa: BLE001  # rules under development may raise anything
        return (fault_of(error),)
    return ()


def _replay(referee: Referee[Any]) -> Replay:
    seats = len(referee.players)
    return replay_so_far(referee, (*range(seats), EVERYTHING))


def _show(
    repeated: Repeated, choices: Mapping[int, int] | None = None, step: int | None = None
) -> ShownPosition:
    referee, game = repeated.referee, repeated.referee.game
    replay = _replay(referee)
    shown = replay.last if step is None else replay.stop_near(min(step, replay.last))
    is_last = shown == replay.last
    return ShownPosition(
        title=game.title,
        seats=(game.seats.low, game.seats.high),
        options=dict(referee.settings),
        seed=str(referee.seed),
        catalogue=build_catalogue(game),
        position=BenchPosition(
            as_record(referee), dict(choices or {}) if is_last else {}, None if is_last else shown
        ),
        stops=tuple(_stops(replay)),
        tables=tuple(_table(replay, viewer, shown) for viewer in replay.viewers),
        lines=repeated.lines,
        repeated=repeated.allowed,
        faults=repeated.faults,
    )


def _look(repeated: Repeated, position: BenchPosition, step: int | None) -> ShownPosition:
    shown = _show(repeated, position.choices, step)
    if repeated.allowed == repeated.lines:
        return shown
    # Rules that forbid an action may be mended soon: the actions after it are kept until then.
    return replace(shown, position=replace(shown.position, record=position.record))


def _stops(replay: Replay) -> Iterator[ShownStop]:
    for stop in replay.stops:
        entry = replay.steps[stop].entry
        if isinstance(entry, Taken):
            name = "chance" if entry.seat == CHANCE else replay.players[entry.seat].name
            yield ShownStop(stop, name, entry.notation)
        else:
            yield ShownStop(stop, "", EVENTS.get(type(entry), "note"))


def _table(replay: Replay, viewer: int, step: int) -> ShownTable:
    name = replay.viewer_name(viewer)
    try:
        session = ReplaySession(replay, step, viewer)
        is_end = step == replay.last
        result = session.result() if is_end else None
        return ShownTable(viewer, name, session.view(), tuple(session.log()), result)
    except Exception as error:  # noqa: BLE001  # displays under development may raise anything
        return ShownTable(viewer, name, None, fault=fault_of(error))
