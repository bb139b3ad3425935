"""Consecutive lines on like steps of one actor are joined."""

import pytest

from cardhub.model.game.scene import Summary
from cardhub.view.log import joined, with_cards
from cardhub.view.view import CardMention, LogLine

NAMES = [("Anna",), ("Bob",), ("Chris",), ("David Lee", "Eva")]


def line_of(step: int, seat: int, text: str, summary: Summary | None = None) -> LogLine:
    """Return a line on a step."""
    return LogLine(step=step, seat=seat, kind="action", text=text, summary=summary)


def texts(*sentences: str, seat: int = 3) -> list[str]:
    """Return the texts around a table; lines of the log that begin with `*` are new."""
    lines = [line_of(step, seat, text) for step, text in enumerate(sentences, 1)]
    return [line.text for line in joined(lines, NAMES)]


def test_like_steps_of_one_actor_become_one_line() -> None:
    assert texts(
        "David Lee lays a yellow card", "David Lee lays a yellow card", "David Lee lays a blue card"
    ) == ["David Lee lays 2 yellow cards and a blue card"]


def test_equal_steps_are_counted() -> None:
    assert texts(*["David Lee lays a yellow card"] * 3) == ["David Lee lays 3 yellow cards"]
    assert texts(*["David Lee passes a card"] * 2) == ["David Lee passes 2 cards"]
    assert texts(*["David Lee lays Y5"] * 2) == ["David Lee lays Y5 ×2"]


def test_a_verb_of_two_words_is_written_once() -> None:
    assert texts("David Lee lays off R5", "David Lee lays off R6") == [
        "David Lee lays off R5 and R6"
    ]
    assert texts("David Lee turns up a red card", "David Lee turns up a blue card") == [
        "David Lee turns up a red and a blue card"
    ]


def test_seen_and_unseen_cards_are_listed_as_they_are() -> None:
    assert texts("David Lee lays R5", "David Lee lays a yellow card") == [
        "David Lee lays R5 and a yellow card"
    ]


def test_a_role_in_parentheses_belongs_to_the_name() -> None:
    assert texts("Anna (Navy) calls 5", "Anna (Navy) calls 6", seat=0) == [
        "Anna (Navy) calls 5 and 6"
    ]
    assert len(texts("Anna (Navy) calls 5", "Anna (Navy) places a card", seat=0)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bob lays R5", "Bob takes R6"),
        ("Bob lays R5", "Bob lays no more"),
        ("Bob draws nothing", "Bob draws R5"),
        ("Bob passes", "Bob passes"),
        ("Navy lays R5", "Navy lays R6"),
        ("Bob lays R5: the trick is his", "Bob lays R6: the trick is his"),
        ("Bob lays R5, R6", "Bob lays R7"),
        ("Bob lays R5 for the second time in this game", "Bob lays R6"),
    ],
)
def test_other_sentences_stay_as_they_are(first: str, second: str) -> None:
    assert texts(first, second, seat=1) == [first, second]


def test_steps_of_different_seats_are_not_joined() -> None:
    lines = [
        line_of(1, 0, "Anna lays R5"),
        line_of(2, 1, "Bob lays R6"),
        line_of(3, -1, "chance: deal a card"),
        line_of(4, -1, "chance: deal a card"),
    ]
    assert joined(lines, NAMES) == lines


def test_a_joined_line_has_the_last_step_and_its_summary() -> None:
    summary = Summary(title="the battle", rows=(("Bob", "3"),))
    lines = [
        line_of(1, 1, "Bob lays R5"),
        line_of(2, 1, "Bob lays R6", summary),
        line_of(3, 1, "Bob lays R7"),
    ]
    first, second = joined(lines, NAMES)
    assert (first.text, first.step) == ("Bob lays R5 and R6", 2)
    assert first.summary == summary
    assert second == lines[2]


def test_a_joined_line_is_new_if_one_of_its_steps_is() -> None:
    old = LogLine(step=1, seat=1, kind="action", text="Bob lays R5")
    new = LogLine(step=2, seat=1, kind="action", text="Bob lays R6", is_new=True)
    assert [line.is_new for line in joined([old, new], NAMES)] == [True]


LABELS = ("R1", "R14", "7♥", "Petty Officer", "Officer", "Bob", "5", "A", "Hoay!")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Anna wins R14", ("Anna wins ", CardMention(1, "R14"))),
        ("R14 beats R1.", (CardMention(1, "R14"), " beats ", CardMention(0, "R1"), ".")),
        ("Anna plays 7♥", ("Anna plays ", CardMention(2, "7♥"))),
        ("Hoay! is Anna’s", (CardMention(8, "Hoay!"), " is Anna’s")),
        ("a Petty Officer", ("a ", CardMention(3, "Petty Officer"))),
        ("R14, R14", (CardMention(1, "R14"), ", ", CardMention(1, "R14"))),
    ],
)
def test_labels_of_cards_are_parts_of_a_line(text: str, parts: tuple[object, ...]) -> None:
    (line,) = with_cards([line_of(1, 0, text)], LABELS, NAMES)
    assert line.parts == parts
    sentences = [part if isinstance(part, str) else part.text for part in line.parts]
    assert "".join(sentences) == line.text == text


@pytest.mark.parametrize(
    "text",
    [
        "Bob draws a card",
        "Anna has 5 points",
        "A card is drawn",
        "R140 and XR1",
        "David Lee passes",
    ],
)
def test_other_words_are_no_cards(text: str) -> None:
    line = line_of(1, 0, text)
    assert with_cards([line], LABELS, NAMES) == [line]


def test_a_player_may_be_named_like_a_card() -> None:
    lines = [line_of(1, 0, "Officer R1 draws R1"), line_of(2, 1, "R14 passes")]
    first, second = with_cards(lines, LABELS, [("Officer R1",), ("Eva", "R14")])
    assert first.parts == ("Officer R1 draws ", CardMention(0, "R1"))
    assert second.parts == ()
