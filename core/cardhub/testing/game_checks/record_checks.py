"""Games can be recorded, broken off anywhere, resumed and replayed."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from cardhub.bots import RandomBot
from cardhub.errors import CardhubError, HiddenFaceError, RecordError
from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.redaction import redact, redact_game
from cardhub.play.records.replaying import open_record, replayed, resume
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing.checking import ConformanceError
from cardhub.testing.deal_replay import retrace
from cardhub.testing.random_play import Position, Trial

CUTS = 4


def check_record(game: Game[Any], trial: Trial, cuts: int = CUTS) -> None:
    """Check that a record replays, redacted or not, and is resumed wherever it broke off."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whole.jsonl"
        try:
            _record(game, trial, path)
            whole = path.read_bytes()
            _replay(game, path)
            _replay_redacted(game, trial, path)
            for number, end in enumerate(_cuts(whole, trial, cuts)):
                part = path.with_name(f"part{number}.jsonl")
                part.write_bytes(whole[:end])
                _replay_redacted(game, trial, part)
                _resume(game, trial, part)
                if part.read_bytes() != whole:
                    what = f"a record cut after {end} bytes goes on differently"
                    trial.fail(game, "record", what)
        except CardhubError as error:
            trial.fail(game, "record", str(error).replace(folder, ""))


def _record(game: Game[Any], trial: Trial, path: Path) -> None:
    players = [Player(name, "random") for name in NAMES[: trial.seats]]
    referee = set_up(game, players, dict(trial.settings), trial.seed)
    record_to(referee, path)
    _finish(referee, trial)


def _resume(game: Game[Any], trial: Trial, path: Path) -> None:
    _finish(resume(game, read_record(path)), trial)


def _replay(game: Game[Any], path: Path) -> None:
    record = read_record(path)
    replayed(record, open_record(game, record))


def _replay_redacted(game: Game[Any], trial: Trial, path: Path) -> None:
    """Replay what each seat may have of a record; what is seen only later is blank in it."""
    for viewer in range(trial.seats + 1):
        part = path.with_name(f"seat{viewer}.jsonl")
        part.write_text(redact(game, read_record(path), viewer), "utf-8")
        try:
            _replay(game, part)
        except RecordError as error:
            if isinstance(error.__cause__, HiddenFaceError):
                hint = "what players tell of hidden cards is asked with state.answer"
                raise RecordError(f"{error}; {hint}") from error
            raise


def _finish(referee: Referee[Any], trial: Trial) -> None:
    """Play to the end with bots whose choices do not depend on when the program was started."""
    referee.proceed()
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        rng = Random(f"{trial.seed} bot {len(observation.history)}")
        referee.apply(RandomBot(rng).choose(observation))


def _cuts(whole: bytes, trial: Trial, cuts: int) -> list[int]:
    """Return some ends of lines, and places within lines, where a record can break off."""
    ends = [place + 1 for place, byte in enumerate(whole[:-1]) if byte == 0x0A]
    rng = Random(f"{trial.seed} cuts")
    chosen = rng.sample(ends, min(cuts, len(ends)))
    return [end + torn for end in chosen for torn in (0, 9)]


def records_in(folder: Path | None) -> list[Path]:
    """Return the records of a folder, in order; none if there is no such folder."""
    return sorted(folder.glob("*.jsonl")) if folder else []


def check_golden(game: Game[Any], _: None, path: Path) -> None:
    """Check that a finished record replays, line by line, to the scores that it ends with."""
    try:
        record = read_record(path)
        if record.header.game != game.name:
            raise record.wrong(1, f"this is a record of {record.header.game}, not of {game.name}")
        if not record.is_finished:
            last = record.lines[-1][0] if record.lines else 1
            raise record.wrong(last, "the game is not over, so there are no scores to compare")
        replayed(record, open_record(game, record))
    except RecordError as error:
        raise ConformanceError("golden", game.name, str(error)) from error


def check_same_record(game: Game[S], position: Position[S], viewer: int, rng: Random) -> None:
    """Check that the redacted record is the same in a world that the viewer takes for possible."""
    drawn = Observation(game, position.state, viewer).determinize_whole(rng)
    truth = redacted(game, position, viewer, position.state)
    for line, elsewhere in zip(truth, redacted(game, position, viewer, drawn), strict=True):
        if line != elsewhere:
            what = f"{line.strip()} (or else {elsewhere.strip()})"
            what = f"a record for seat {viewer} tells what that may not know: {what}"
            position.fail(game, "same_record", what)


def redacted(game: Game[S], position: Position[S], viewer: int, state: S) -> list[str]:
    """Return the lines of the record of a game up to a position, redacted for a viewer.

    The game is the one that the faces and outcomes of `state` make of the position's actions.
    """
    return redact_game(retrace(game, position, state), viewer).splitlines(keepends=True)
