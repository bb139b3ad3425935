"""Enumeration of bounded compositions: how a number can be split over several holders."""

from collections.abc import Iterator, Sequence

Split = tuple[int, ...]


def compositions(total: int, most: Sequence[int]) -> Iterator[Split]:
    """Yield all tuples of non-negative ints that add up to `total`, none above its bound."""
    room = [0] * (len(most) + 1)  # what fits into the bounds from each index on
    for index in range(len(most) - 1, -1, -1):
        room[index] = room[index + 1] + most[index]
    if 0 <= total <= room[0]:
        yield from _compositions(total, most, room, 0)


def _compositions(
    total: int, most: Sequence[int], room: Sequence[int], index: int
) -> Iterator[Split]:
    if index == len(most):
        yield ()
        return
    for count in range(max(0, total - room[index + 1]), min(total, most[index]) + 1):
        for rest in _compositions(total - count, most, room, index + 1):
            yield (count, *rest)
