"""Lines of the log: one for each sentence, and like steps of one actor joined."""

import pytest

from cardhub.game.scene import Summary
from cardhub.view.log import joined, log_lines
from cardhub.view.view import LogLine

NAMES = ["Anna", "Bob", "Chris", "David Lee"]


def texts(*told: str, seat: int = 3) -> list[str]:
    """Return the texts of joined lines, given sentences about steps of one seat."""
    lines = [
        line
        for step, text in enumerate(told, 1)
        for line in log_lines(step, seat, "action", [text])
    ]
    return [line.text for line in joined(lines, NAMES)]


def test_like_steps_of_one_actor_become_one_line() -> None:
    """Articles and the noun that all have in common are left out."""
    assert texts(
        "David Lee lays a yellow card", "David Lee lays a yellow card", "David Lee lays a blue card"
    ) == ["David Lee lays yellow, yellow, blue"]


def test_equal_steps_are_counted() -> None:
    """Their text is said once."""
    assert texts(*["David Lee lays a yellow card"] * 3) == ["David Lee lays a yellow card ×3"]


def test_seen_and_unseen_cards_are_listed_as_they_are() -> None:
    """Only an end that all share can be left out."""
    assert texts("David Lee lays R5", "David Lee lays a yellow card") == [
        "David Lee lays R5, a yellow card"
    ]


def test_a_role_in_parentheses_belongs_to_the_name() -> None:
    """The verb comes after it."""
    assert texts("Anna (Navy) calls 5", "Anna (Navy) calls 6", seat=0) == ["Anna (Navy) calls 5, 6"]
    assert len(texts("Anna (Navy) calls 5", "Anna (Navy) places a card", seat=0)) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bob lays R5", "Bob takes R6"),
        ("Bob passes", "Bob passes"),
        ("Navy lays R5", "Navy lays R6"),
        ("Bob lays R5: the trick is his", "Bob lays R6: the trick is his"),
        ("Bob lays R5, R6", "Bob lays R7"),
        ("Bob lays R5 for the second time in this game", "Bob lays R6"),
    ],
)
def test_other_sentences_stay_as_they_are(first: str, second: str) -> None:
    """Another verb, no object, no name, a clause, a list, or a long end."""
    assert texts(first, second, seat=1) == [first, second]


def test_steps_of_different_seats_are_not_joined() -> None:
    """Neither are those of chance."""
    lines = [
        *log_lines(1, 0, "action", ["Anna lays R5"]),
        *log_lines(2, 1, "action", ["Bob lays R6"]),
        *log_lines(3, -1, "action", ["chance: deal a card"]),
        *log_lines(4, -1, "action", ["chance: deal a card"]),
    ]
    assert joined(lines, NAMES) == lines


def test_a_joined_line_has_the_last_step_and_its_summary() -> None:
    """The steps after a summary belong to the next round."""
    summary = Summary("the battle", [["Bob", "3"]])
    lines = [
        *log_lines(1, 1, "action", ["Bob lays R5"]),
        *log_lines(2, 1, "action", ["Bob lays R6"], summary),
        *log_lines(3, 1, "action", ["Bob lays R7"]),
    ]
    first, second = joined(lines, NAMES)
    assert (first.text, first.step) == ("Bob lays R5, R6", 2)
    assert first.summary
    assert first.summary.rows == (("Bob", "3"),)
    assert second == lines[2]


def test_a_joined_line_is_new_if_one_of_its_steps_is() -> None:
    """The viewer has not read all of it."""
    old = LogLine(step=1, seat=1, kind="action", text="Bob lays R5")
    new = LogLine(step=2, seat=1, kind="action", text="Bob lays R6", is_new=True)
    assert [line.is_new for line in joined([old, new], NAMES)] == [True]


def test_a_summary_without_a_sentence_has_a_line_with_its_title() -> None:
    """The log keeps a place for it."""
    (line,) = log_lines(9, 1, "action", [], Summary("round 2", [["Bob", "3"]]))
    assert (line.text, line.step) == ("round 2", 9)
    assert log_lines(9, 1, "shuffle", []) == []
