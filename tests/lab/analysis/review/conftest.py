"""Matches that are played to be reviewed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.paths import TESTS

from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.review.review_run import (
    ReviewOptions,
    ReviewRequest,
    plan_review,
    run_review,
)
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import InProcess
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry, find_plugins

ENTRANTS = Path(__file__).with_name("entrants")
TROUPE = TESTS / "lab" / "match" / "entrants"

Play = Callable[..., Path]
Review = Callable[..., MatchReview]

IN_PROCESS = ReviewOptions(InProcess)


@pytest.fixture(scope="session")
def registry() -> PluginRegistry:
    """Return the installed games, and the bots for these matches."""
    return find_plugins([ENTRANTS, TROUPE])


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory, registry: PluginRegistry) -> Play:
    """Return a function that plays a match without statistics and returns its folder."""

    def played(bots: str, games: str, blocks: int, more: str = "faults: {max: 3}") -> Path:
        folder = tmp_path_factory.mktemp("cup")
        entrants = ", ".join(
            f"{{id: {bot.partition(':')[0]}, use: {bot!r}}}" for bot in bots.split()
        )
        lines = [
            "cardhub_match: 1",
            "name: cup",
            "salt: none",
            "isolate: no",
            "seed: 5",
            f"bots: [{entrants}]",
            f"games: {games}",
            f"schedule: {{blocks: {blocks}}}",
            more,
        ]
        file = folder / "cup.yaml"
        file.write_text("\n".join(lines) + "\n", "utf-8")
        run(read_match(file, registry), registry, folder, RunOptions())
        return folder

    return played


@pytest.fixture(scope="session")
def review(registry: PluginRegistry) -> Review:
    """Return a function that reviews a match, or continues its review, and returns the results."""

    def reviewed(
        folder: Path, request: ReviewRequest, options: ReviewOptions = IN_PROCESS
    ) -> MatchReview:
        plan = plan_review(folder, registry, request)
        run_review(folder, plan, registry.directories, options)
        results = reviews_in(folder)
        assert results is not None
        return results

    return reviewed


def of_bot(review: MatchReview, bot: str) -> BotReview:
    """Return the review of a bot in the only game of a match."""
    (only,) = (row for row in review.bots if row.bot == bot)
    return only
