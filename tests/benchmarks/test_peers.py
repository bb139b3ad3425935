"""The comparison with other frameworks runs with the installed ones, and names the others."""

import sys
from importlib.util import find_spec
from random import Random

import pytest

import contenders
import peers

# The packages of the contenders; RLCard's games in PettingZoo need both.
NEEDS = {"OpenSpiel": "pyspiel", "RLCard": "rlcard"}


def is_installed(name: str) -> bool:
    """Return whether a contender can take part."""
    return all(find_spec(module) for peer, module in NEEDS.items() if name.startswith(peer))


def contests() -> list[peers.Contest]:
    """Return everything that is compared."""
    return [*peers.plays(), *peers.searches(iterations=5)]


@pytest.mark.parametrize("contest", contests(), ids=lambda contest: contest[0])
def test_all_installed_contenders_take_part(contest: peers.Contest) -> None:
    """All of them make progress; the others are named."""
    _, contenders = contest
    sides, missing = peers.present(contenders)
    assert sorted([*sides, *missing]) == sorted(contenders)
    assert missing == [name for name in contenders if not is_installed(name)]
    assert next(iter(sides)).startswith("cardhub")
    rng = Random(1)
    for run in sides.values():
        assert all(run(rng) >= 1 for _ in range(3))


@pytest.mark.parametrize(
    ("same", "decisions"),
    [*zip(peers.SAME, (2.25, 4.06, 52), strict=True)],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_both_sides_do_the_same_work(same: peers.Same, decisions: float) -> None:
    """A random game takes as many decisions on either side, on average."""
    pytest.importorskip("pyspiel")
    games = 5 if decisions == 52 else 3000
    ours = contenders.cardhub_play(same.ours, same.options)
    for play in (ours, contenders.spiel_play(same.theirs, same.opening)):
        rng = Random(5)
        mean = sum(play(rng) for _ in range(games)) / games
        assert mean == pytest.approx(decisions, rel=0.03)


def test_a_table_has_a_row_for_each_contender_and_compares_us_with_it() -> None:
    ours = [peers.Rate(10, 40), peers.Rate(10, 20), peers.Rate(10, 30)]
    theirs = [peers.Rate(1, 10), peers.Rate(1, 10), peers.Rate(1, 10)]
    assert list(peers.rows("kuhn", {"cardhub": ours, "another": theirs})) == [
        "| kuhn | cardhub | 10 | 30 |  |",
        "| kuhn | another | 1 | 10 | 3.00 (2.00 to 4.00) |",
    ]


def test_rounds_take_turns() -> None:
    """The first of one round is the last of the next."""
    course: list[str] = []

    def runner(name: str) -> peers.Run:
        return lambda rng: course.append(name) or 1  # type: ignore[func-returns-value]  # on purpose

    measured = peers.take_turns({"a": runner("a"), "b": runner("b")}, 3, seconds=0)
    assert course == [*"ab", *"abba", *"ab"]
    assert [len(rates) for rates in measured.values()] == [3, 3]


def test_peers_that_are_not_installed_are_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is measured all the same."""
    for module in ("pyspiel", "rlcard", "pettingzoo.classic"):
        monkeypatch.setitem(sys.modules, module, None)
    arguments = ["peers.py", "--rounds", "1", "--seconds", "0.001", "--iterations", "2"]
    monkeypatch.setattr(sys, "argv", arguments)
    peers.main()
    printed = capsys.readouterr().out
    assert "| hearts without passing | cardhub |" in printed
    assert "(OpenSpiel, game in C++: not installed)" in printed
    assert "(RLCard: not installed)" in printed
    assert "| OpenSpiel" not in printed
