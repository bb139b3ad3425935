"""Run a training to its end: save it, measure it, and stop at a signal."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from cardhub.base.errors import EpisodeError
from cardhub.bots.deadline import Interrupted
from cardhub.lab.match.run.deferred_signals import DeferredSignals
from cardhub.learning.train.measuring import rivals_of, score_against
from cardhub.learning.train.training import Training
from cardhub.model.table.goal import Goal
from cardhub.plugins.registry import PluginRegistry

# Seconds of training from one report to the next: a share of the time before, within bounds.
SHARE, SHORTEST, LONGEST = 0.1, 15.0, 300.0
# The share of a training in which a teacher's games are imitated. Self-play has to go beyond the
# teacher, and its last part has small steps, so it needs most of the time.
IMITATION = 0.25
# The least time of training between two reports, in times of a report: some bots are slow.
LEAST_TIMES = 8
# The name of the player that the file had before, among the rivals of a report.
BEFORE = "before"


class Limits(NamedTuple):
    """When a training ends, counted from its beginning; None means no limit."""

    seconds: float | None
    updates: int | None

    def share_done(self, training: Training) -> float:
        """Return the share of the training that is done; 1 or more at the end."""
        return self._share(training.seconds, training.updates)

    def imitation_done(self, training: Training) -> float:
        """Return the share of the imitation that is done, 1 or more after its end."""
        before = self._share(*training.imitates_from)
        if not training.plan.teacher or before >= 1:
            return 1.0
        return (self.share_done(training) - before) / (1 - before) / IMITATION

    def _share(self, seconds: float, updates: int) -> float:
        by_time = seconds / self.seconds if self.seconds else 0.0
        return max(by_time, updates / self.updates if self.updates else 0.0)


class Report(NamedTuple):
    """The state of a training: the mean utilities of the player against bots, by their names.

    `speed`: games a second. `seconds_left`: an estimate. `is_taught`: whether the games are those
    of the teacher.
    """

    training: Training
    scores: Mapping[str, float]
    speed: float
    seconds_left: float
    is_taught: bool


def run_training(
    training: Training,
    path: Path,
    limits: Limits,
    notes: Mapping[str, Any],
    registry: PluginRegistry,
    on_report: Callable[[Report], object],
) -> None:
    """Train up to the limits, and save the player with notes at each report and at the end.

    A signal ends the training after the current update of self-play, or at once in a game of bots;
    then the training is saved, too, and the signal is delivered.
    """
    with DeferredSignals() as signals:
        with _ending_at(signals):
            reported, games, reporting = training.seconds, _games(training), 0.0
            while limits.share_done(training) < 1 and not signals.has_received:
                started = monotonic()
                is_taught = _improve(training, limits)
                training.seconds += monotonic() - started
                passed = training.seconds - reported
                usual = min(max(SHARE * training.seconds, SHORTEST), LONGEST)
                if passed < max(usual, LEAST_TIMES * reporting):
                    continue
                started = monotonic()
                speed = (_games(training) - games) / passed
                on_report(_report(training, path, limits, registry, speed, is_taught))
                training.save(path, notes)
                reported, games = training.seconds, _games(training)
                reporting = monotonic() - started
        training.save(path, notes)


@contextmanager
def _ending_at(signals: DeferredSignals) -> Iterator[None]:
    """Leave the block if a signal interrupts a bot, or ends the processes that play games."""
    try:
        yield
    except Interrupted:
        pass
    except EpisodeError:
        if not signals.has_received:
            raise


def _improve(training: Training, limits: Limits) -> bool:
    """Make the next update; return whether it imitated the teacher."""
    share = limits.imitation_done(training)
    if share < 1:
        training.imitate(share)
        return True
    training.end_imitation()
    training.advance(limits.share_done(training))
    return False


def _games(training: Training) -> int:
    return training.teacher_games + training.games


def _report(
    training: Training,
    path: Path,
    limits: Limits,
    registry: PluginRegistry,
    speed: float,
    is_taught: bool,
) -> Report:
    specs: dict[str, str] = {}
    # In a common cause the other seats are partners: only the match at the end compares players.
    if training.layout.game.goal is not Goal.COMMON:
        specs = {rival: rival for rival in rivals_of(registry, training.plan.game)}
        if path.exists():
            specs[BEFORE] = f"net:{path}"
    network, layout = training.network(), training.layout
    scores = {name: score_against(network, layout, spec, registry) for name, spec in specs.items()}
    left = training.seconds * max(1 / limits.share_done(training) - 1, 0.0)
    return Report(training, scores, speed, left, is_taught)
