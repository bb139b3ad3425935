"""Examples of rules are sentences wherever people read them."""

from cardhub.view.explain.explanations import readable_rules

LABELS = {"corsair": "Corsair", "cadet": "Cadet", "A1": "A1", "A2": "A2"}


def example(*lines: str, title: str = "") -> list[str]:
    """Return the lines of an example in sentences, without empty lines."""
    page = "\n".join([f"```example {title}", *lines, "```"])
    return [line for line in readable_rules(page, LABELS).splitlines() if line]


def test_an_example_begins_with_its_title_and_says_who_holds_which_cards() -> None:
    lines = example(
        "given hand of Anna: corsair, cadet", "given turn: Anna", title="A lie loses to Gamon."
    )
    assert lines == [
        "**A lie loses to Gamon.**",
        "- Anna holds Corsair and Cadet. It is Anna's turn.",
    ]


def test_actions_are_chosen_one_after_another_by_the_names_on_their_buttons() -> None:
    assert example("when Anna: place corsair, call 5", "when Anna: believe", "when Bob: gamon") == [
        "- Anna chooses “Place Corsair”, then “Call 5”, then “Believe”. Bob chooses “Gamon”."
    ]


def test_results_are_sentences_about_players_zones_and_actions() -> None:
    assert example("then prize: 1", "then won of Anna: A1, A2") == [
        "- The prize is 1. Anna has won A1 and A2."
    ]
    assert example("when Bob: gamon", "when Anna: call 5", "then won: 0, 1")[1:] == [
        "- Anna has won 0 and Bob has won 1."
    ]
    assert example("then legal: call 4, call 6", "then not legal: call 5") == [
        "- “Call 4” and “Call 6” are legal. “Call 5” is not legal."
    ]
    assert example("then only legal: place corsair", "then is_broken: no") == [
        "- Only “Place Corsair” is legal. “Broken” does not hold."
    ]
    assert example("given stacks 1: A1, A2", "given option layout: a") == [
        "- Stack 1 has A1 and A2. The option “layout” is “a”."
    ]


def test_a_drawn_board_stays_a_drawing() -> None:
    assert example("given board:", "  A1  .", "  .   A2", "when Anna: lift A1") == [
        "- The board looks like this:",
        "```",
        "  A1  .",
        "  .   A2",
        "```",
        "- Anna chooses “Lift A1”.",
    ]


def test_other_blocks_and_paragraphs_stay_as_they_are() -> None:
    page = "# Title\n\n```python\ngiven = 1\n```\n\nText.\n"
    assert readable_rules(page, LABELS) == page
