"""A submission's mean result against a reference, which plays on while a threshold is open."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from typing_extensions import override

from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.blocks import Block
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.seat_scores import PairScore
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.stats.sequential.confidence_sequence import (
    AsymptoticSequence,
    ConfidenceSequence,
)
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing.grading.assignment import REFERENCE, SUBMISSION, Assignment

Side: TypeAlias = Literal["above", "below", "open"]


class Standing(Watcher):
    """The results of a submission against a reference, block by block.

    `faults`: the number of its games with each fault. `is_withdrawn`: it had too many.
    """

    def __init__(self, contest: Contest, level: float, goals: Sequence[float]) -> None:
        self._contest = contest
        self._goals = goals
        kind = AsymptoticSequence if contest.in_points else ConfidenceSequence
        self._sequence: AsymptoticSequence | ConfidenceSequence = kind(level)
        self.faults: Counter[str] = Counter()
        self.is_withdrawn = False

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self._sequence.blocks

    @property
    def estimate(self) -> OpenEstimate:
        """The mean result in a block with its interval, which holds at any time."""
        return self._sequence.interval()

    def side(self, goal: float) -> Side:
        """Return on which side of a goal the interval is, `open` if the goal is within it."""
        _, low, high = self.estimate
        if low is None or high is None or low < goal <= high:
            return "open"
        return "above" if low >= goal else "below"

    def is_enough(self, _deal: int) -> bool:
        """Return whether no goal is within the interval."""
        return "open" not in map(self.side, self._goals)

    @override
    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        score = PairScore(SUBMISSION, REFERENCE, self._contest)
        for result in results:
            score.add(result)
        if score.value is not None:
            self._sequence.add(score.value)

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        kinds = {note.fault for note in result.faults if note.bot == SUBMISSION}
        self.faults.update(kinds)


def play_reference(
    assignment: Assignment,
    submission: str,
    reference: str,
    folder: Path,
    registry: PluginRegistry,
    options: RunOptions,
) -> Standing:
    """Play a submission against a reference until no threshold is open, at most to the bound.

    Raises MatchError, BotError, PluginError or OptionError.
    """
    match = assignment.match(submission, reference, registry)
    contest = match.contests[0]
    goals = [
        threshold.goal(contest)
        for threshold in assignment.thresholds
        if threshold.against == reference
    ]
    standing = Standing(contest, assignment.level, goals)
    options = replace(options, watcher=standing, is_enough=standing.is_enough)
    state = run(match, registry, folder, options)
    standing.is_withdrawn = SUBMISSION in state.counts.withdrawn
    return standing
