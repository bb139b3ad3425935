"""Studies played once for all tests, and games of a study made by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cardhub.lab.match.run.runner import run
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.game_trace import GameTrace
from cardhub.lab.study.measures.study_game import StudyGame
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_request import StudyRequest, prepare
from cardhub.lab.study.study_schema import StudyResult
from cardhub.plugins.registry import PluginRegistry, find_plugins

Studied = Callable[[StudyRequest, Path], StudyResult]


@pytest.fixture(scope="session")
def registry() -> PluginRegistry:
    """Return all installed games and bots."""
    return find_plugins(())


@pytest.fixture(scope="session")
def studied(registry: PluginRegistry) -> Studied:
    """Return a function that plays a study in a folder and returns its result."""

    def studied(request: StudyRequest, folder: Path) -> StudyResult:
        parts = prepare(folder, request, registry)
        for part in parts:
            run(part.match, registry, part.folder)
        return study_of(request, parts, registry, StudyOptions())[0]

    return studied


@pytest.fixture(scope="session")
def kuhn(studied: Studied, tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return a study of Kuhn poker between random bots, whose true figures can be enumerated."""
    request = StudyRequest("kuhn", 2, {}, ("random",), deals=120)
    return studied(request, tmp_path_factory.mktemp("kuhn"))


def hand_made(
    scores: Sequence[float],
    *,
    deal: int = 0,
    group: str = "a",
    leaders: Sequence[int] = (-1,),
    places: Sequence[int] = (),
) -> StudyGame:
    """Return a game of two copies of a bot; its places follow from the scores by default."""
    by_seat = tuple(places) or tuple(1 + sum(b > a for b in scores) for a in scores)
    result = GameResult(
        id="0",
        contest="x",
        deal=deal,
        bots=(f"{group}1", f"{group}2"),
        vary={},
        seed="",
        seats=(f"{group}1", f"{group}2"),
        absent=(),
        cards=(),
        moves=(),
        end="over",
        steps=1,
        scores=(0,) * len(scores),
        places=by_seat,
        faults=(),
    )
    trace = GameTrace((1,) * (len(leaders) - 1), tuple(leaders), ({},) * len(scores))
    return StudyGame("bot", result.bots, result, tuple(scores), trace)
