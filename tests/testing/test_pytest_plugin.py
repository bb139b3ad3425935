"""All checks of a game as tests of pytest, in one line."""

import pytest

from cardhub.testing import PROMISES

pytest_plugins = ["pytester"]

# Without the plugins of this test run.
PLAIN = ("-p", "no:asyncio", "-p", "no:hypothesispytest")

GOOD = """
from cardhub.testing import checks
from kuhn import Kuhn

test_kuhn = checks(Kuhn())
"""

BAD = """
from cardhub.testing import checks
from kuhn import Kuhn
from kuhn.game import KuhnDisplay


class PooledDisplay(KuhnDisplay):
    def rules(self):
        return "# Kuhn poker"


class PooledKuhn(Kuhn):
    display_type = PooledDisplay

    def scores(self, state):
        return [0.5, -0.5]


test_lender = checks(PooledKuhn(), games=1)
"""


def test_one_line_runs_every_check_as_a_separate_test(pytester: pytest.Pytester) -> None:
    """Checks that do not apply are skipped, with the reason."""
    pytester.makepyfile(GOOD)
    done = pytester.runpytest_inprocess(*PLAIN, "-rs", "-v")
    done.assert_outcomes(passed=len(PROMISES) - 1, skipped=1)
    done.stdout.fnmatch_lines(
        ["*::test_kuhn[[]same_scene] PASSED*", "*there is no record in */records"]
    )


def test_records_next_to_the_tests_are_replayed(pytester: pytest.Pytester) -> None:
    """They are in the folder `records`."""
    pytester.makepyfile(GOOD)
    pytester.mkdir("records").joinpath("old.jsonl").write_text("{}\n", "utf-8")
    done = pytester.runpytest_inprocess(*PLAIN, "-k", "golden")
    done.assert_outcomes(failed=1, deselected=len(PROMISES) - 1)
    done.stdout.fnmatch_lines(["*old.jsonl:1: not a cardhub record*"])


def test_a_failure_says_all_and_shows_no_lines_of_the_kit(pytester: pytest.Pytester) -> None:
    """The author's test has but one line."""
    pytester.makepyfile(BAD)
    done = pytester.runpytest_inprocess(*PLAIN)
    outcomes = done.parseoutcomes()
    assert outcomes["failed"] == 1
    done.stdout.fnmatch_lines(
        [
            "*test_lender?scores?*",
            "scores: every seat has a score, at any time",
            "  scores are ?0.5, -0.5?, not one int per seat*",
            "  reproduce: cardhub check kuhn --seed 0 --games 1",
        ]
    )
    assert "one_line.py" not in done.stdout.str()
