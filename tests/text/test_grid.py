"""A board of stacks, laid out."""

from collections.abc import Callable
from typing import Any

GRID = """\
layout 18
     a     b     c
1   [B1]  [B6]  [A5]
     B2    A7    A6
2   [A4]  [A8]  [B3]
     A9    A1    B5
3   [B8]  [B7]  [B9]
     B4    A2    A3
lifted 0
"""


def test_a_site_shows_its_top_card_large_and_those_below_in_order(
    table: Callable[..., Any],
) -> None:
    """Top cards that can be lifted are marked at their sites."""
    assert table("patchwork").text() == GRID


def test_placing_points_at_sites(table: Callable[..., Any]) -> None:
    """An empty site can be pointed at as well as a stack."""
    lifted = table("patchwork")
    while lifted.referee.observe(0).state.sites[4]:
        state = lifted.observe().state
        top = state.sites[4][-1]
        lifted.referee.apply(
            lifted.observe()
            .labels()
            .parse(f"lift {lifted.observe().labels().card(top)}", lifted.observe().legal())
        )
        if lifted.referee.observe(0).state.sites[4]:
            lifted.referee.apply(
                lifted.observe().labels().parse("place r0c0", lifted.observe().legal())
            )
    sheet = lifted.sheet()
    assert {(spot.kind, spot.key) for spot in sheet.legal} == {("site", n) for n in range(9)}
    assert "[·]" in lifted.text()


def test_a_high_stack_takes_more_lines(table: Callable[..., Any]) -> None:
    """All cards of a stack are shown."""
    late = table("patchwork", seed=3)
    for _ in range(5):
        labels, legal = late.observe().labels(), late.observe().legal()
        late.referee.apply(next(a for a in legal if not _is_on_first(late, a)))
        late.referee.apply(labels.parse("place r0c0", late.observe().legal()))
    stack = late.observe().state.sites[0]
    assert len(stack) == 7
    text = late.text()
    assert all(late.observe().labels().card(token) in text for token in stack)


def _is_on_first(table: Any, action: int) -> bool:
    state = table.observe().state
    return bool(state.face[state.sites[0][-1]] == action)
