"""Faces known in part, before and after a shuffle."""

import pytest

from cardhub.play.notation import fits
from cardhub.table.faces import BLANK

A, B, C = range(3)


@pytest.mark.parametrize(
    ("after", "before", "can"),
    [
        ((A, B), (B, A), True),
        ((A, C), (B, A), False),
        ((BLANK, BLANK, C), (A, B, BLANK), True),
        ((BLANK, B, C), (A, BLANK, BLANK), True),
        ((BLANK, C), (A, B), False),
        ((A, B, C), (A, BLANK, B), True),
        ((A, B), (A, B, BLANK), False),
    ],
)
def test_known_faces_need_unknown_ones_to_come_from(
    after: tuple[int, ...], before: tuple[int, ...], can: bool
) -> None:
    """A face known on one side only is one of the unknown on the other."""
    assert fits(after, before) == can
