"""How somebody else comes to where a check has failed."""

import json
from typing import Any, NamedTuple

from cardhub.bots import RANDOM
from cardhub.game.game import Game
from cardhub.hidden.epochs import epoch_backs, epochs
from cardhub.play.history import Shuffled, Taken
from cardhub.play.records.recording import Recorder
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.findings import Place
from cardhub.testing.playout import Position, Trial
from cardhub.testing.sitting import unusual
from cardhub.testing.worlds import outcomes_of


class Trace(NamedTuple):
    """A place, and the record of the game up to there: without lines if none could be written."""

    place: Place | None = None
    record: tuple[str, ...] = ()


def trace(game: Game[Any], where: Trial | Position[Any]) -> Trace:
    """Return where a check failed, by the actions that led there."""
    if isinstance(where, Trial):
        return Trace(_place(game, where, ()))
    try:
        lines = _record(game, where)
    except Exception:  # noqa: BLE001  # the rules of a faulty game may raise anything
        steps = ((step.seat, _plain(game, step.action)) for step in where.history)
        return Trace(_place(game, where.trial, tuple(steps)))
    told = (json.loads(line) for line in lines)
    actions = [(_seat(line["seat"]), line["action"]) for line in told if "action" in line]
    return Trace(_place(game, where.trial, tuple(actions)), tuple(lines))


def _record(game: Game[Any], position: Position[Any]) -> list[str]:
    """Return the record of a game up to a position, at which a person sits who is to act."""
    trial, state = position.trial, position.state
    kinds = [RANDOM.name] * trial.seats
    kinds[max(state.seat, 0)] = HUMAN
    players = [Player(*who) for who in zip(NAMES, kinds, strict=False)]
    deal = epochs(state)[0], epoch_backs(state)[0]
    referee = Referee(game, players, trial.settings, trial.seed, *deal)
    lines: list[str] = []
    referee.record_in(Recorder(referee, lines.append))
    outcomes = iter(outcomes_of(state))
    for seat, action in position.history:
        referee.repeat(Taken(seat, action))
        while referee.observe(0).state.unsettled:
            referee.repeat(Shuffled(next(outcomes)))
    if state.seat == OVER:
        referee.proceed()
    return lines


def _place(game: Game[Any], trial: Trial, actions: tuple[tuple[int, str], ...]) -> Place:
    return Place(trial.seed, trial.seats, unusual(game, trial), None, actions)


def _plain(game: Game[Any], action: int) -> str:
    """Return an action without the names of cards."""
    return game.actions.text(action, lambda token: f"#{token}")


def _seat(written: int | str) -> int:
    return written if isinstance(written, int) else CHANCE
