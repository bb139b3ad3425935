"""Turning points: the turns of a finished game after which the standing had changed most."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from cardhub.hidden.observation import EVERYTHING
from cardhub.host.replays.replay import Replay
from cardhub.host.replays.replay_steps import standing_actions
from cardhub.play.result_text import joined_names
from cardhub.table.scoring import Scoring
from cardhub.table.state import OVER
from cardhub.view.result_view import TurningPoint

# Number of turning points that are reported, and of sentences on each.
MOST, SENTENCES = 3, 3


class _Turn(NamedTuple):
    """Consecutive actions of one seat, as the numbers of their steps."""

    seat: int
    steps: Sequence[int]


def turning_points(replay: Replay, viewer: int) -> list[TurningPoint]:
    """Return the turning points in order, told as a viewer was; none unless all may be seen."""
    if not replay.is_over or EVERYTHING not in replay.viewers:
        return []
    found = sorted(_changes(replay, viewer), key=lambda point: -point.gain)[:MOST]
    return sorted(found, key=lambda point: point.step)


def _changes(replay: Replay, viewer: int) -> Iterator[TurningPoint]:
    scoring = replay.referee.scoring
    before = _margins(replay, 0)
    for turn in _turns(replay):
        # Games evaluate positions between turns; within a turn cards may be on their way.
        after = _margins(replay, replay.stop_near(turn.steps[-1]))
        changes = [new - old for old, new in zip(before, after, strict=True)]
        gain = max(changes)
        # A deal changes the standing by luck alone, and is told of by no sentence of interest.
        if gain > 0 and turn.seat >= 0:
            team = scoring.teams[changes.index(gain)]
            yield TurningPoint(
                step=turn.steps[0],
                text=_text(replay, viewer, turn),
                name=_team_name(replay, scoring, team),
                gain=gain,
            )
        before = after


def _turns(replay: Replay) -> Iterator[_Turn]:
    def actor(number: int) -> int:
        seat: int = replay.steps[number - 1].full.state.seat
        return seat

    for seat, numbers in groupby(standing_actions(replay.steps), key=actor):
        yield _Turn(seat, list(numbers))


def _margins(replay: Replay, step: int) -> list[float]:
    """Return for each seat the evaluation of its team minus the best one of another team."""
    game, state = replay.game, replay.steps[step].full.state
    scoring = replay.referee.scoring
    values = game.scores(state) if state.seat == OVER else game.evaluate(state)
    signed = [-value if scoring.lowest_wins else value for value in values]
    return [_margin(signed, scoring, seat) for seat in range(len(signed))]


def _margin(values: Sequence[float], scoring: Scoring, seat: int) -> float:
    teams = scoring.teams
    others = [value for value, team in zip(values, teams, strict=True) if team != teams[seat]]
    return values[seat] - max(others, default=0.0)


def _team_name(replay: Replay, scoring: Scoring, team: int) -> str:
    pairs = zip(replay.players, scoring.teams, strict=True)
    return joined_names([player.name for player, other in pairs if other == team])


def _text(replay: Replay, viewer: int, turn: _Turn) -> str:
    # With the shuffles and the end of the last action of the turn.
    last = replay.stop_near(turn.steps[-1])
    lines = [
        line.text
        for line in replay.log(viewer, last)
        if line.step >= turn.steps[0] and line.kind == "action" and line.text
    ]
    more = " …" if len(lines) > SENTENCES else ""
    return "; ".join(lines[:SENTENCES]) + more
