"""A record redacted for one seat tells it no more than the table did."""

from random import Random

from cardhub.game.game import Game, S
from cardhub.hidden.epochs import epoch_backs, epochs
from cardhub.hidden.observation import Observation, veiled
from cardhub.play.history import Shuffled, Taken
from cardhub.play.records.recording import Recorder
from cardhub.play.records.redaction import Redactor
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.testing.playout import Position
from cardhub.testing.worlds import outcomes_of


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
    trial = position.trial
    players = [Player(name, "random") for name in NAMES[: trial.seats]]
    deal = epochs(state)[0], epoch_backs(state)[0]
    referee = Referee(game, players, trial.settings, trial.seed, *deal)
    lines: list[str] = []
    recorder = Recorder(referee, lines.append, viewer)
    referee.record_in(Redactor(recorder, game, veiled(state, viewer)))
    outcomes = iter(outcomes_of(state))
    for seat, action in position.history:
        referee.repeat(Taken(seat, action))
        while referee.observe(viewer).state.unsettled:
            referee.repeat(Shuffled(next(outcomes)))
    return lines
