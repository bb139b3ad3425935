"""Plugin of pytest that lists the processor time of tests: `pytest -p tests.kit.costs`.

It counts the processor time of the test's process and of the programs that ended meanwhile.
"""

import os
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping

import pytest

# The number of rows of each table; its last row adds up all others.
ROWS = 60
# The number of parts of a path that name the folder of a test.
DEPTH = 2


def processor_time() -> float:
    """Return the seconds that this process and its ended children have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Costs:
    """The processor time of each phase of a test, sent with its report to the main process."""

    def __init__(self, config: pytest.Config) -> None:
        self._is_worker = hasattr(config, "workerinput")
        self._before = 0.0
        self._total = defaultdict[str, float](float)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Count all that came before the first test as the collection."""
        self._before = processor_time()
        self._total["collection"] += self._before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the time since the last report: a fixture counts for the first test with it."""
        report = yield
        now = processor_time()
        vars(report)["processor_time"] = now - self._before
        self._before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the phases of a test."""
        self._total[report.nodeid] += getattr(report, "processor_time", 0.0)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Add the collection of a worker."""
        output: dict[str, float] = getattr(node, "workeroutput", {})
        self._total["collection"] += output.get("collection", 0.0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the time of the collection to the main process."""
        if self._is_worker:
            vars(session.config)["workeroutput"]["collection"] = self._total["collection"]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the folders, modules and tests that need most."""
        terminalreporter.section("processor time")
        for title, group in (("folders", _folder), ("modules", _module), ("tests", str)):
            sums = defaultdict[str, float](float)
            for test, seconds in self._total.items():
                sums[group(test)] += seconds
            terminalreporter.write_line(f"{title}:")
            for line in _rows(sums):
                terminalreporter.write_line(line)
        terminalreporter.write_line(f"{sum(self._total.values()):8.1f} s in all")


def _module(test: str) -> str:
    return test.partition("::")[0]


def _folder(test: str) -> str:
    return "/".join(_module(test).split("/")[:DEPTH])


def _rows(sums: Mapping[str, float]) -> Iterator[str]:
    rows = sorted(sums.items(), key=lambda row: -row[1])
    for name, seconds in rows[:ROWS]:
        yield f"{seconds:8.1f} s {name}"
    others = [seconds for _, seconds in rows[ROWS:]]
    yield f"{sum(others):8.1f} s {len(others)} others"


def pytest_configure(config: pytest.Config) -> None:
    """Measure in the main process and in each worker."""
    config.pluginmanager.register(Costs(config))
