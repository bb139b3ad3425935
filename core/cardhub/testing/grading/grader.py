"""Grades of all submissions in a folder: each is checked and plays in isolation from the others."""

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from cardhub.base.errors import BotError, CardhubError
from cardhub.base.writing import amount, listed, number, percent, signed, with_minus
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.preflight import sandbox_without
from cardhub.lab.match.run.runner import SERIAL, RunOptions
from cardhub.lab.match.teams.team_files import BOT_FILE, bot_file, list_entries
from cardhub.lab.report.number_format import signed_span, span
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing.grading.assignment import Assignment, Threshold
from cardhub.testing.grading.check_process import Checked, check_submission
from cardhub.testing.grading.standing import Standing, play_reference

CHECKS = "checks"
MATCHES = "matches"
_UNUSUAL = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a grade; `estimate` and `blocks` are None for the checks.

    `is_open`: the goal was still within the interval at the bound, and the mean decided.
    """

    name: str
    points: float
    most: float
    text: str
    estimate: OpenEstimate | None = None
    blocks: int | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a submission; `folder`: where its files are."""

    student: str
    folder: Path
    items: tuple[Item, ...]

    @property
    def points(self) -> float:
        """The sum of its points."""
        return fsum(item.points for item in self.items)

    @property
    def most(self) -> float:
        """The points of a submission that reaches everything."""
        return fsum(item.most for item in self.items)


@dataclass(frozen=True, slots=True)
class Submission:
    """A student's bot; `file` is None, with the `reason`, if there is none."""

    student: str
    file: Path | None
    reason: str = ""


def find_submissions(folder: Path) -> list[Submission]:
    """Return the submissions in a folder, sorted: Python files, and folders with one."""
    return [
        _in_folder(path) if path.is_dir() else Submission(path.stem, path)
        for path in list_entries(folder)
    ]


def _in_folder(folder: Path) -> Submission:
    try:
        return Submission(folder.name, bot_file(folder))
    except BotError as error:
        return Submission(folder.name, None, str(error))


class Grader:
    """Grades submissions of an assignment; equal submissions get equal grades in each run.

    `out`: the folder for the grades, with a folder for each student.
    """

    def __init__(
        self,
        assignment: Assignment,
        out: Path,
        registry: PluginRegistry,
        options: RunOptions = SERIAL,
    ) -> None:
        self._assignment = assignment
        self._out = out
        self._registry = registry
        self._options = options
        self._contest = assignment.contest(registry)

    def grades(self, submissions: Sequence[Submission]) -> Iterator[Grade]:
        """Yield the grades, in the order of the submissions."""
        for submission, folder in zip(submissions, self._folders(submissions), strict=True):
            folder.mkdir(parents=True)
            yield Grade(submission.student, folder, tuple(self._items(submission, folder)))

    def _folders(self, submissions: Sequence[Submission]) -> list[Path]:
        """Return a folder for each student, whose name every system accepts."""
        names: list[str] = []
        for submission in submissions:
            name = _UNUSUAL.sub("_", submission.student)
            while name in names:
                name += "_"
            names.append(name)
        return [self._out / name for name in names]

    def _items(self, submission: Submission, folder: Path) -> Iterator[Item]:
        assignment = self._assignment
        checked = self._checked(submission, folder)
        passed = not checked.problems
        text = "no fault was seen" if passed else "\n".join(checked.problems)
        yield Item(CHECKS, assignment.checks if passed else 0.0, assignment.checks, text)
        standings: dict[str, Standing | str] = {}
        for threshold in assignment.thresholds:
            reference = threshold.against
            if not checked.is_made:
                yield self._unplayed(threshold, "it did not play, because it cannot be made")
                continue
            if reference not in standings:
                standings[reference] = self._standing(reference, folder)
            yield self._item(threshold, standings[reference])

    def _checked(self, submission: Submission, folder: Path) -> Checked:
        """Copy the file of a submission into the folder, and check it."""
        if submission.file is None:
            return Checked((submission.reason,), is_made=False)
        file = (folder / BOT_FILE).absolute()
        try:
            # A bot could otherwise read the folder of its file, with the files of others.
            shutil.copyfile(submission.file, file)
        except OSError as error:
            return Checked((f"it cannot be read: {error.strerror}",), is_made=False)
        assignment = self._assignment
        return check_submission(
            self._registry.directories,
            file,
            assignment.game,
            assignment.positions,
            assignment.seed,
            self._sandbox(folder),
        )

    def _sandbox(self, folder: Path) -> Sandbox | None:
        if self._assignment.sandbox == "no":
            return None
        # A folder with a hidden path is not shown to the bot, only its own file.
        return sandbox_without(folder / MATCHES, self._assignment.file)

    def _standing(self, reference: str, folder: Path) -> Standing | str:
        """Return the results against a reference, or why there are none."""
        number = self._assignment.references.index(reference) + 1
        place = folder / MATCHES / f"{number}"
        use = f"file:{(folder / BOT_FILE).absolute()}"
        try:
            return play_reference(
                self._assignment, use, reference, place, self._registry, self._options
            )
        except CardhubError as error:  # of this submission, so the others are graded
            return str(error)

    def _unplayed(self, threshold: Threshold, reason: str) -> Item:
        return Item(self._title(threshold), 0.0, threshold.points, reason)

    def _item(self, threshold: Threshold, standing: Standing | str) -> Item:
        if isinstance(standing, str):
            return self._unplayed(threshold, standing)
        goal = threshold.goal(self._contest)
        side = standing.side(goal)
        estimate = standing.estimate
        mean = estimate.value if estimate.value is not None else goal - 1
        is_reached = side == "above" or (side == "open" and standing.blocks > 0 and mean >= goal)
        return Item(
            self._title(threshold),
            threshold.points if is_reached and not standing.is_withdrawn else 0.0,
            threshold.points,
            " ".join(self._sentences(standing, side == "open")),
            estimate,
            standing.blocks,
            side == "open",
        )

    def _sentences(self, standing: Standing, is_open: bool) -> Iterator[str]:
        yield self._figure(standing)
        if standing.is_withdrawn:
            yield "It was withdrawn, because it was at fault too often."
        elif is_open:
            yield "The threshold is within the interval at the bound, so the mean decides."
        if standing.faults:
            games = {kind: amount(n, "game") for kind, n in sorted(standing.faults.items())}
            yield f"Faults: {listed([f'{kind} in {games[kind]}' for kind in games])}."

    def _figure(self, standing: Standing) -> str:
        estimate = standing.estimate
        if self._contest.in_points:
            unit = self._contest.unit
            mean, reach = f"lead {signed(estimate.value, 2)} {unit}", signed_span(estimate, 2)
        else:
            mean, reach = f"score {number(estimate.value)}", span(estimate)
        level, blocks = percent(self._assignment.level), amount(standing.blocks, "block")
        return f"Mean {mean}, interval at {level}: {reach}, after {blocks}."

    def _title(self, threshold: Threshold) -> str:
        goal, reference = threshold.at_least, threshold.against
        if goal is None:
            return f"at least as good as {reference}"
        if self._contest.in_points:
            return f"a mean lead of {with_minus(f'{goal:g}')} {self._contest.unit} over {reference}"
        return f"a mean score of {goal:g} against {reference}"
