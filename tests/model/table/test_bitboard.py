"""Sites of a board as bits."""

from hypothesis import given
from hypothesis import strategies as st

from cardhub import connected, numbers, orthogonal


def test_neighbours_are_one_step_along_a_row_or_column() -> None:
    next_to = orthogonal(2, 3)
    assert [numbers(sites) for sites in next_to] == [
        [1, 3],
        [0, 2, 4],
        [1, 5],
        [0, 4],
        [1, 3, 5],
        [2, 4],
    ]


@given(st.sets(st.integers(0, 40)))
def test_numbers_come_in_ascending_order(sites: set[int]) -> None:
    assert numbers(sum(1 << site for site in sites)) == sorted(sites)


@given(st.sets(st.integers(0, 19), min_size=1), st.data())
def test_connected_sites_are_those_that_steps_lead_to(sites: set[int], data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(sorted(sites)))
    walked, edge = {start}, [start]
    for site in edge:
        row, column = divmod(site, 5)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            other = r * 5 + c
            if 0 <= r < 4 and 0 <= c < 5 and other in sites - walked:
                walked.add(other)
                edge.append(other)
    reached = connected(1 << start, sum(1 << site for site in sites), orthogonal(4, 5))
    assert set(numbers(reached)) == walked
