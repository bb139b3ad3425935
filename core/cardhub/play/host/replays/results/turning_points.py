"""Turning points: the turns of a finished game that changed the standing most."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from cardhub.model.table.scoring import Scoring
from cardhub.model.table.state import OVER
from cardhub.play.history_entries import standing_actions
from cardhub.play.host.replays.replay import Replay
from cardhub.play.referee import result_scoring
from cardhub.play.result_text import joined_names
from cardhub.view.view import TurningPoint

# Number of turning points that are reported, and of sentences on each. If a turn has more, its
# first and its last sentence are reported.
MOST, SENTENCES = 3, 3
# Number of turns with a change of scores from which the scores are the standing of a game.
RUNNING = 3


class _Turn(NamedTuple):
    """A turn: the numbers of its steps, and the change of the margins by seat."""

    steps: Sequence[int]
    scores: Sequence[float]
    values: Sequence[float]


class _Peak(NamedTuple):
    """A turn, or its most important step, with the gain of the team that gained most.

    Peaks of equal `gain` are ordered by `tie`.
    """

    gain: float
    tie: float
    steps: Sequence[int]
    name: str


def turning_points(replay: Replay, viewer: int) -> list[TurningPoint]:
    """Return the turning points in order, in the words for a viewer; empty unless all may be seen.

    The standing is the score in games whose scores change during play; equal gains are ordered by
    evaluation. If scores come only at the end, the standing is the evaluation.
    """
    if not replay.sees_all(viewer):
        return []
    # The same for all of these viewers; only the words differ.
    peaks = replay.once(_peaks)
    return [
        TurningPoint(
            step=peak.steps[0],
            text=_text(replay, viewer, peak.steps),
            name=peak.name,
            gain=peak.gain,
        )
        for peak in peaks
    ]


def _peaks(replay: Replay) -> list[_Peak]:
    """Return the turns that changed the standing most, in their order."""
    turns = list(_turns(replay))
    if sum(any(turn.scores) for turn in turns) >= RUNNING:
        peaks = [_score_peak(replay, turn) for turn in turns]
    else:
        peaks = [_peak(replay, turn.steps, turn.values) for turn in turns]
    best = sorted(filter(None, peaks), key=lambda peak: (peak.gain, peak.tie), reverse=True)
    return sorted(best[:MOST], key=lambda peak: peak.steps[0])


def _turns(replay: Replay) -> Iterator[_Turn]:
    """Yield the turns of seats; `values` are from evaluations."""
    before = _margins(replay, 0), _margins(replay, 0, evaluates=True)
    for seat, steps in _actions(replay):
        # Games evaluate positions between turns; within a turn cards may still move.
        last = replay.stop_near(steps[-1])
        after = _margins(replay, last), _margins(replay, last, evaluates=True)
        # Skip deals: they change the standing by luck only.
        if seat >= 0:
            yield _Turn(steps, *map(_difference, before, after))
        before = after


def _difference(before: Sequence[float], after: Sequence[float]) -> list[float]:
    return [new - old for old, new in zip(before, after, strict=True)]


def _score_peak(replay: Replay, turn: _Turn) -> _Peak | None:
    """Return the action of a turn that changed the scores most."""
    if not any(turn.scores):
        return None
    seat = max(range(len(turn.scores)), key=turn.scores.__getitem__)

    def gain(step: int) -> float:
        before, after = replay.stop_near(step - 1), replay.stop_near(step)
        return _margins(replay, after)[seat] - _margins(replay, before)[seat]

    step = max(turn.steps, key=gain)
    return _peak(replay, [step], turn.scores, turn.values[seat])


def _peak(
    replay: Replay, steps: Sequence[int], changes: Sequence[float], tie: float = 0
) -> _Peak | None:
    gain = max(changes)
    if gain <= 0:
        return None
    scoring = result_scoring(replay.referee)
    name = _team_name(replay, scoring, scoring.teams[changes.index(gain)])
    return _Peak(gain, tie, steps, name)


def _actions(replay: Replay) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield consecutive actions of one seat: the seat, and the numbers of their steps."""

    def actor(number: int) -> int:
        seat: int = replay.steps[number - 1].full.state.seat
        return seat

    actions = standing_actions(step.entry for step in replay.steps)
    for seat, numbers in groupby(actions, key=actor):
        yield seat, list(numbers)


def _margins(replay: Replay, step: int, *, evaluates: bool = False) -> list[float]:
    """Return for each seat the score of its team minus the best one of another team."""
    game, state = replay.game, replay.steps[step].full.state
    scoring = result_scoring(replay.referee)
    is_value = evaluates and state.seat != OVER
    values: Sequence[float] = game.heuristics.evaluate(state) if is_value else game.scores(state)
    signed = [-value if scoring.lowest_wins else value for value in values]
    return [_margin(signed, scoring, seat) for seat in range(len(signed))]


def _margin(values: Sequence[float], scoring: Scoring, seat: int) -> float:
    teams = scoring.teams
    others = [value for value, team in zip(values, teams, strict=True) if team != teams[seat]]
    return values[seat] - max(others, default=0.0)


def _team_name(replay: Replay, scoring: Scoring, team: int) -> str:
    pairs = zip(replay.players, scoring.teams, strict=True)
    return joined_names([player.name for player, other in pairs if other == team])


def _text(replay: Replay, viewer: int, steps: Sequence[int]) -> str:
    # With the shuffles and the end of the last action.
    last = replay.stop_near(steps[-1])
    begun = [
        chapter.title.casefold()
        for chapter in replay.chapters(viewer)
        if steps[0] <= chapter.first <= last
    ]
    lines = [
        line
        for event in replay.events(viewer)[steps[0] - 1 :]
        if event.number < last and event.kind == "action"
        for line in filter(None, event.lines)
        # "Round 2: Bob attacks" belongs to the next part of the game.
        if not any(line.casefold().startswith(f"{title}:") for title in begun)
    ]
    return "; ".join(lines) if len(lines) <= SENTENCES else f"{lines[0]} … {lines[-1]}"
