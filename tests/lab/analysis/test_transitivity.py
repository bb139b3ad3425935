"""Games that are not transitive, from a whole log."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cardhub.lab.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]
BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


def throw(task: GameTask) -> list[int]:
    """Return 3 points for the bot that beats the other; a bot and its clone are even."""
    one, other = (seat.bot.rstrip("2") for seat in task.seats)
    return [3 * ((one, other) in BEATS), 3 * ((other, one) in BEATS)]


def ladder(analysed: Analysed, cup: Callable[..., str], bots: Sequence[str]) -> dict[str, Any]:
    """Return the section about cycles of 20 blocks a pair."""
    section: dict[str, Any] = analysed(cup(bots, blocks=20), throw)["games"][0]["transitivity"]
    return section


def test_rock_paper_scissors_is_one_certified_cycle(
    analysed: Analysed, cup: Callable[..., str]
) -> None:
    """Nash mixture and alpha-rank give a third each, and ratings explain no difference."""
    section = ladder(analysed, cup, ["rock", "paper", "scissors"])
    assert [row["share"]["value"] for row in section["nash"]] == pytest.approx([1 / 3] * 3)
    assert [row["mass"]["value"] for row in section["alpha_rank"]] == pytest.approx([1 / 3] * 3)
    (three,) = section["certified_cycles"]
    assert {(a, b) for a, b in zip(three, [*three[1:], three[0]], strict=True)} == BEATS
    assert section["apparent_cycles"] == 1
    assert section["cyclic_share"] == pytest.approx(1)


def test_a_clone_leaves_the_nash_mixture_unchanged(
    analysed: Analysed, cup: Callable[..., str]
) -> None:
    """Two rocks share the weight of one; the other weights stay the same."""
    section = ladder(analysed, cup, ["rock", "paper", "scissors", "rock2"])
    shares = {row["bot"]: row["share"]["value"] for row in section["nash"]}
    assert shares == pytest.approx(
        {"rock": 1 / 6, "rock2": 1 / 6, "paper": 1 / 3, "scissors": 1 / 3}
    )
    assert len(section["certified_cycles"]) == 2


def test_a_ladder_has_no_certified_cycle(analysed: Analysed, cup: Callable[..., str]) -> None:
    """The best bot is all of the mixture."""
    order = ["top", "middle", "low"]

    def scores(task: GameTask) -> list[int]:
        return [-order.index(seat.bot) for seat in task.seats]

    section = analysed(cup(order, blocks=20), scores)["games"][0]["transitivity"]
    assert (section["apparent_cycles"], section["certified_cycles"]) == (0, [])
    assert [row["share"]["value"] for row in section["nash"]] == [1, 0, 0]


def test_few_blocks_certify_nothing(analysed: Analysed, cup: Callable[..., str]) -> None:
    """A circle in the means may be chance."""
    (game,) = analysed(cup(["rock", "paper", "scissors"], blocks=3), throw)["games"]
    section = game["transitivity"]
    assert (section["apparent_cycles"], section["certified_cycles"]) == (1, [])


def test_two_bots_run_in_no_circle(analysed: Analysed, cup: Callable[..., str]) -> None:
    statistics = analysed(cup(["rock", "paper"]), throw)
    assert statistics["games"][0]["transitivity"] is None
