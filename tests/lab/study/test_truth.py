"""The figures of a study agree with the true figures of a game whose tree is enumerated."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from cardhub.lab.estimate import Measure
from cardhub.lab.study.study_schema import StudyResult, UseRow
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.model.table.state import OVER
from cardhub.plugins.registry import PluginRegistry


class Line(NamedTuple):
    """A line of play: its deal, probability, actions, and the chips of seat 0."""

    deal: tuple[int, ...]
    chance: float
    actions: tuple[int, ...]
    chips: float


@pytest.fixture(scope="module")
def lines(registry: PluginRegistry) -> list[Line]:
    """Return all lines of Kuhn poker between random bots."""
    game = registry.game("kuhn")
    settings = resolve_options(game, {}, 2)

    def play(state: Any, deal: tuple[int, ...], chance: float, so_far: Any) -> Iterator[Line]:
        if state.seat == OVER:
            yield Line(deal, chance, so_far, game.scores(state)[0])
            return
        legal = game.legal(state)
        for action in legal:
            after = state.clone()
            game.apply(after, action)
            yield from play(after, deal, chance / len(legal), (*so_far, action))

    all_lines: list[Line] = []
    for deal in permutations(range(3)):
        all_lines += play(initial_state(game, settings, 2, list(deal)), deal, 1 / 6, ())
    return all_lines


def contains(estimate: Measure | None, truth: float) -> bool:
    """Return whether an interval has the true value."""
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def use(result: StudyResult, kind: str, name: str) -> UseRow:
    """Return a row of the uses."""
    return next(row for row in result.uses if (row.kind, row.name) == (kind, name))


def test_the_advantage_of_a_seat_is_that_of_the_tree(kuhn: StudyResult, lines: list[Line]) -> None:
    """Between random bots the first seat wins an eighth of a chip."""
    truth = sum(line.chance * line.chips for line in lines)
    first, second = kuhn.skilled.seats
    assert truth == pytest.approx(0.125)
    assert contains(first.score, truth)
    assert contains(first.advantage, truth)
    assert second.advantage.value == pytest.approx(-first.advantage.value)


def test_the_share_of_the_deal_is_that_of_the_tree(kuhn: StudyResult, lines: list[Line]) -> None:
    """It is the variance of the mean given the deal, over the whole variance."""
    mean = sum(line.chance * line.chips for line in lines)
    deals = {line.deal for line in lines}
    given = [6 * sum(x.chance * x.chips for x in lines if x.deal == deal) for deal in deals]
    between = sum((value - mean) ** 2 for value in given) / 6
    whole = sum(line.chance * (line.chips - mean) ** 2 for line in lines)
    luck = kuhn.skilled.luck
    assert luck is not None
    assert contains(luck.deal, between / whole)
    assert luck.deal.value + luck.seat + luck.play == pytest.approx(1)


def test_length_and_choices_are_those_of_the_tree(kuhn: StudyResult, lines: list[Line]) -> None:
    """Each decision has two actions, and a game two or three decisions."""
    truth = sum(line.chance * len(line.actions) for line in lines)
    assert contains(kuhn.skilled.length.mean, truth)
    assert [bar.low for bar in kuhn.skilled.length.bars] == [2, 3]
    assert kuhn.skilled.choices.mean.value == kuhn.skilled.choices.most == 2
    assert kuhn.skilled.choices.forced.value == 0


@pytest.mark.parametrize(("name", "face"), [("J", 0), ("Q", 1), ("K", 2)])
def test_the_worth_of_a_dealt_card_is_that_of_the_tree(
    kuhn: StudyResult, lines: list[Line], name: str, face: int
) -> None:
    """It is the mean difference over both seats."""

    def mean(seat: int, has: bool) -> float:
        chosen = [x for x in lines if (x.deal[seat] == face) is has]
        total = sum(x.chance * (x.chips if seat == 0 else -x.chips) for x in chosen)
        return total / sum(x.chance for x in chosen)

    row = use(kuhn, "dealt", name)
    # In the tree both seats get a card equally often, so they have equal weights.
    truth = sum(mean(seat, True) - mean(seat, False) for seat in (0, 1)) / 2
    assert contains(row.worth, truth)
    assert contains(row.used, 1 / 3)
    assert row.taken is None


def test_the_worth_of_an_action_is_that_of_the_tree(kuhn: StudyResult, lines: list[Line]) -> None:
    """Players who fold lose a chip: the difference is certain, but not an effect of folding."""
    row = use(kuhn, "action", "fold")
    assert row.worth is not None
    assert row.worth.value < 0
    assert row.is_certain
    assert row.taken is not None
    assert contains(row.taken, 0.5)


def test_scores_that_do_not_move_give_no_leads(kuhn: StudyResult) -> None:
    assert kuhn.skilled.leads is None
    assert any("there are no figures on leads" in note for note in kuhn.notes)
