"""Fixtures and settings of all tests."""

import gc
import os
import secrets
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.kit.browsing import SharedBrowser, Visitor
from tests.kit.soaking import FACTOR
from typing_extensions import override
from xdist.scheduler import LoadScopeScheduling

from cardhub import State
from cardhub.plugins.third_party import IMPORTED_GUESTS

# Folders whose tests share what one of them has made: a build, matches, studies, reviews, games of
# OpenSpiel.
SHARING = (
    "tests/lab/analysis/review/",
    "tests/attack/",
    "tests/compiling/",
    "tests/lab/report/",
    "tests/lab/study/",
    "tests/openspiel/",
)
# Pages in a browser: one worker shows them all, because a browser takes long to start.
BROWSING = (
    "tests/play/pages/",
    "tests/online/browser/",
    "tests/testing/workbench/test_bench_page.py",
)
# Modules that parse the files of the repository, once for all of them.
PARSING = tuple(
    f"tests/house/test_{name}.py"
    for name in ("claims", "glossary", "holders", "language", "layout", "rulings", "style", "tests")
)
# Long modules whose tests share nothing: each of them may run on another worker.
SPREAD = (
    "tests/house/test_docs.py",
    "tests/testing/game_checks/test_all_games.py",
)
# What takes longest comes first, so that no worker is left alone with it at the end.
LONGEST = (
    "tests/compiling/",
    "tests/openspiel/",
    "tests/play/pages/",
    "tests/cli/game/new_package/test_tutorial.py",
    "tests/house/test_site.py",
    "tests/attack/",
    "tests/house/test_docs.py::test_commands",
    "tests/lab/match/run/test_signals.py",
    "tests/lab/match/run/test_breaking_off.py",
    "tests/cli/game/new_package/test_new_game.py",
    "tests/same_bytes/",
    "tests/lab/report/",
    "tests/model/hidden/test_posterior.py",
    "tests/testing/game_checks/",
    "tests/lab/match/",
    "tests/tui/",
)
BROWSER = SharedBrowser()
# What the tests draw in place of the system: each test draws the same bytes whenever it runs.
DRAWS = Random()


def pytest_configure() -> None:
    """Have compiled modules kept, by workers and by the programs that tests start.

    Without them, each worker rewrites all tests again, and each program compiles all of cardhub.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers() -> int:
    """Run one test more than there are cores: those of processes and screens often wait.

    Each worker collects all tests, which takes ten seconds of processor time.
    """
    return 1 + (os.cpu_count() or 1)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Keeps the tests of a module, or of a folder that shares its fixtures, on one worker."""

    @override
    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(SPREAD):
            return nodeid
        if nodeid.startswith(PARSING):
            return "syntax"
        if nodeid.startswith(BROWSING):
            return BROWSING[0]
        module = nodeid.partition("::")[0]
        return next((scope for scope in SHARING if nodeid.startswith(scope)), module)

    @override
    def _assign_work_unit(self, node: Any) -> None:
        self.workqueue.move_to_end(min(self.workqueue, key=rank), last=False)
        super()._assign_work_unit(node)


@cache
def rank(scope: str) -> int:
    """Return the place in the order of what is to come first."""
    return next((n for n, long in enumerate(LONGEST) if scope.startswith(long)), len(LONGEST))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Return the scheduler, as marks of groups in xdist 3.8 do nothing with pytest 9.2."""
    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without garbage collection, which would traverse all tests many times."""
    gc.disable()
    collected = yield
    gc.enable()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)  # 700, 10, 10 by default, which takes about 7 % longer
    return collected


@pytest.hookimpl(tryfirst=True)  # before the plugin of Hypothesis, which would parse them here
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out soaks, and keep Hypothesis from parsing all imported modules.

    Tests of pages come first, because the first test without a browser closes it.

    Hypothesis looks for constants to draw. This would take each worker up to four seconds, and what
    a test draws would depend on what other tests have imported.
    """
    soaks = {item for item in items if item.get_closest_marker("soak")} if FACTOR == 1 else set()
    if soaks:
        config.hook.pytest_deselected(items=list(soaks))
        items[:] = [item for item in items if item not in soaks]
    items.sort(key=lambda item: "browser" not in getattr(item, "fixturenames", ()))
    if "hypothesis" not in sys.modules:
        return
    from hypothesis.internal.conjecture import providers

    none = getattr(providers, "_local_constants", None)  # older versions draw no constants
    if none is not None:
        vars(providers)["_get_local_constants"] = lambda: none


@pytest.fixture(autouse=True)
def guests_of_other_tests() -> Iterator[None]:
    """Forget the plugins that other tests and shared fixtures have imported.

    Otherwise matches of a test, which may replace parts of rules for itself, compare their rules
    with a new process, or do not: it would depend on the order of tests.
    """
    before = set(IMPORTED_GUESTS)
    IMPORTED_GUESTS.clear()
    yield
    IMPORTED_GUESTS.clear()
    IMPORTED_GUESTS.update(before)


@pytest.fixture(autouse=True, scope="session")
def signals() -> Iterator[None]:
    """Have signals heard by programs that tests start, also if the tests run in the background.

    There, SIGINT may be ignored, and under nohup SIGHUP.
    """
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler)}
    if hasattr(signal, "SIGHUP"):
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True, scope="session")
def disk() -> Iterator[None]:
    """Do not wait until the disk has all that tests write: they read it from the same system."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda number: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def deals() -> Iterator[None]:
    """Draw the seeds of games and matches from DRAWS: no test passes with some deals only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda size: DRAWS.randbytes(size).hex())
        yield


@pytest.hookimpl(trylast=True)  # after the windows of the test are closed
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser after the last of a row of tests that use it."""
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        BROWSER.close()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin the draws of a test; skip tests that replace what compiled code has built in."""
    DRAWS.seed(item.nodeid)
    marker = item.get_closest_marker("interpreted")
    if marker is not None and hasattr(State, "__mypyc_attrs__"):
        pytest.skip(f"compiled: {marker.args[0]}")


@pytest.fixture
def browser() -> Browser:
    """Return the browser that the tests of a worker share."""
    return BROWSER.open()


@pytest.fixture
def visit_page(browser: Browser) -> Iterator[Visitor]:
    """Return a function that opens a file in the browser, with scripts."""
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


@pytest.fixture
def trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file whose existence makes the bots called `failing` fail."""
    path = tmp_path / "trouble"
    path.touch()
    monkeypatch.setenv("CARDHUB_TEST_FAIL", str(path))
    return path
