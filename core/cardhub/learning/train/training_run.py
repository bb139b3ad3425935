"""Run a training to its end: save it, measure it, and stop at a signal."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from cardhub.lab.match.run.deferred_signals import DeferredSignals
from cardhub.learning.train.measuring import rivals_of, score_against
from cardhub.learning.train.training import Training
from cardhub.model.table.goal import Goal
from cardhub.plugins.registry import PluginRegistry

# Seconds of training from one report to the next: a share of the time before, within bounds.
SHARE, SHORTEST, LONGEST = 0.1, 15.0, 300.0
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
        by_time = training.seconds / self.seconds if self.seconds else 0.0
        return max(by_time, training.updates / self.updates if self.updates else 0.0)


class Report(NamedTuple):
    """The state of a training: the mean utilities of the player against bots, by their names.

    `speed`: games of self-play a second. `seconds_left`: an estimate.
    """

    training: Training
    scores: Mapping[str, float]
    speed: float
    seconds_left: float


def run_training(
    training: Training,
    path: Path,
    limits: Limits,
    notes: Mapping[str, Any],
    registry: PluginRegistry,
    on_report: Callable[[Report], object],
) -> None:
    """Train up to the limits, and save the player with notes at each report and at the end.

    A signal ends the training after the current update, is saved as well, and is then delivered.
    """
    with DeferredSignals() as signals:
        seconds, games, reporting = training.seconds, training.games, 0.0
        while (done := limits.share_done(training)) < 1 and not signals.has_received:
            started = monotonic()
            training.advance(done)
            training.seconds += monotonic() - started
            passed = training.seconds - seconds
            usual = min(max(SHARE * training.seconds, SHORTEST), LONGEST)
            if passed < max(usual, LEAST_TIMES * reporting):
                continue
            started = monotonic()
            speed = (training.games - games) / passed
            on_report(_report(training, path, limits, registry, speed))
            training.save(path, notes)
            seconds, games, reporting = training.seconds, training.games, monotonic() - started
        training.save(path, notes)


def _report(
    training: Training, path: Path, limits: Limits, registry: PluginRegistry, speed: float
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
    return Report(training, scores, speed, left)
