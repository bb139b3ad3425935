"""Faults of regions, borders, counters, tallies, seat lines and breakdowns, with the remedy."""

from collections.abc import Callable, Iterator

import pytest

from cardhub import (
    Area,
    BreakdownRow,
    BreakdownSection,
    Counter,
    Scene,
    SeatLine,
    Tally,
    TallyRow,
)
from cardhub.base.errors.source_lines import noting_lines
from cardhub.model.game.breakdown_faults import breakdown_faults
from cardhub.model.game.scene_faults import scene_faults

TOKENS, SEATS = 10, 2
HERE = "game/test_scene_text_faults.py"


@pytest.fixture(autouse=True)
def _noted() -> Iterator[None]:
    """Let parts of scenes note the lines that make them."""
    with noting_lines():
        yield


def faults(scene: Scene) -> list[str]:
    """Return the faults of a scene for two seats, without the lines of this file."""
    reported = list(scene_faults(scene, TOKENS, SEATS))
    assert all(fault.startswith(f"{HERE}:") for fault in reported)
    return [fault.split(": ", 1)[1] for fault in reported]


def with_area(**parts: object) -> Scene:
    """Return a scene with one area of seat 0 and the tokens 3 and 4."""
    given: dict[str, object] = {"seat": 0, **parts}
    return Scene("light", [Area("front", [3, 4], **given)])  # type: ignore[arg-type]  # the faults


def with_row(**parts: object) -> Scene:
    """Return a scene with a tally of one row."""
    given: dict[str, object] = {"label": "A", "counts": [1, 2], **parts}
    return Scene("light", [], tallies=[Tally("suits", (TallyRow(**given),))])  # type: ignore[arg-type]  # the faults


AREAS: list[tuple[dict[str, object], str]] = [
    ({"place": "middle"}, "has the place 'middle'. fix: one of seat, front, centre"),
    (
        {"place": "front", "seat": None},
        "has the place 'front', but no seat. fix: give the area a seat, or the place 'centre'",
    ),
    ({"room": -1}, "has room=-1. fix: a number of cards, 0 or more"),
    ({"slots": True}, "has slots=True. fix: a number of cards, 0 or more"),
    (
        {"room": 2, "slots": 3},
        "has 3 slots, but room for 2. fix: room=3, the greatest usual number of cards",
    ),
    (
        {"head": {5: "calls 3"}},
        "has a head for tokens [5], which it does not show. "
        "fix: a head belongs to a token of its area",
    ),
    ({"foot": {3: "face down!"}}, ": the foot 'face down!' is 10 cells wide. fix: at most 9 cells"),
    (
        {"foot": {3: ""}},
        ": the foot '' is no text of one line. fix: leave out a token without a foot",
    ),
]


@pytest.mark.parametrize(("parts", "message"), AREAS)
def test_the_region_and_the_borders_of_an_area_are_validated(
    parts: dict[str, object], message: str
) -> None:
    """The area is named by its caption and the line that made it."""
    (fault,) = faults(with_area(**parts))
    assert fault == f"area 'front'{message if message[0] == ':' else ' ' + message}"


def test_an_area_with_all_its_parts_has_no_fault() -> None:
    """Texts of nine cells fit; no room is declared by default."""
    whole = with_area(place="front", room=3, slots=3, head={3: "calls 3"}, foot={4: "face down"})
    assert faults(whole) == []


PARTS: list[tuple[Callable[[], Scene], str]] = [
    (
        lambda: Scene("light", [], status="round 1\nround 2"),
        "the status 'round 1\\nround 2' is no text of one line. fix: leave it out",
    ),
    (
        lambda: Scene("light", [], seats={2: SeatLine("won 3")}),
        "the line of seat 2 is of no player. fix: a seat from 0 to 1",
    ),
    (
        lambda: Scene("light", [], seats={1: SeatLine(badges="leads")}),
        "the line of seat 1 has the badges 'leads'. fix: a list of texts",
    ),
    (
        lambda: Scene("light", [], seats={1: SeatLine(badges=[""])}),
        "the line of seat 1: the badge '' is no text of one line. fix: leave it out",
    ),
    (
        lambda: Scene("light", [], counters=[Counter("coins", 3, seat=2)]),
        "counter 'coins' belongs to seat 2, which does not exist. "
        "fix: a seat from 0 to 1, or None for the table",
    ),
    (
        lambda: Scene("light", [], counters=[Counter("coins", 2.5)]),  # type: ignore[arg-type]  # the fault
        "counter 'coins' has the value 2.5. fix: an integer",
    ),
    (
        lambda: Scene("light", [], counters=[Counter("coins", 2, pips=-1)]),
        "counter 'coins' has pips=-1. fix: the greatest value to draw, 0 for none",
    ),
    (
        lambda: with_row(counts=[1]),
        "tally 'suits': row 'A' has the numbers [1]. fix: one integer for each of 2 seats",
    ),
    (
        lambda: with_row(notes=["won"]),
        "tally 'suits': row 'A' has the notes ['won']. fix: one for each of 2 seats, or none",
    ),
    (
        lambda: with_row(goal=-1),
        "tally 'suits': row 'A' has goal=-1. fix: the count that decides the row, 0 for none",
    ),
    (
        lambda: with_row(colour="pink"),
        "tally 'suits': row 'A' has the colour 'pink'. "
        "fix: one of white, blue, violet, red, yellow, green, cyan, grey",
    ),
]


@pytest.mark.parametrize(("scene", "message"), PARTS)
def test_parts_next_to_the_cards_are_validated(scene: Callable[[], Scene], message: str) -> None:
    """Texts of one line, existing seats, and a number for every seat."""
    assert faults(scene()) == [message]


def sections(*rows: BreakdownRow) -> list[BreakdownSection]:
    """Return one section with these rows."""
    return [BreakdownSection("hand 1", rows)]


def test_causes_add_up_to_the_scores() -> None:
    rows = (BreakdownRow("hearts", [3, 4]), BreakdownRow("queen", [13, 0], ["QS", ""]))
    assert list(breakdown_faults(sections(*rows), [16, 4])) == []
    assert list(breakdown_faults([], [16, 4])) == []
    assert list(breakdown_faults(sections(*rows), [16, 5])) == [
        "the points of seat 1 add up to 4, and its score is 5. fix: a row for every cause of points"
    ]


def test_subtotals_divide_the_points_of_the_rows() -> None:
    rows = [BreakdownRow("red", [3, 4]), BreakdownRow("blue", [5, 0])]
    right = [BreakdownRow("cards", [8, 1]), BreakdownRow("bonus", [0, 3])]
    assert list(breakdown_faults([BreakdownSection("", rows, right)], [8, 4])) == []
    assert list(breakdown_faults([BreakdownSection("", rows, right[:1])], [8, 4])) == [
        "the subtotals of seat 1 add up to 1, and the rows to 4. "
        "fix: subtotals divide the points of the rows in another way"
    ]


def test_a_row_of_a_breakdown_has_points_for_every_seat() -> None:
    """Sums are not compared then, because they would be wrong as well."""
    assert list(breakdown_faults(sections(BreakdownRow("hearts", [3])), [3, 0])) == [
        "row 'hearts' has the numbers [3]. fix: one integer for each of 2 seats"
    ]
    assert list(breakdown_faults(sections(BreakdownRow("", [3, 0])), [3, 0])) == [
        "row '': the label '' is no text of one line. fix: the cause of the points"
    ]
