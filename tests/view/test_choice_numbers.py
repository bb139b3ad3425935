"""Numbers of choices never differ from labels that are numbers."""

from cardhub.view.view import ChoiceView, numbered_choices


def choices(*names: str) -> list[ChoiceView]:
    """Return choices with these names, of a verb and an object."""
    return [
        ChoiceView(
            action=number,
            name=name,
            notation=name,
            verb=name.partition(" ")[0],
            object=name.partition(" ")[2],
            spots=(),
        )
        for number, name in enumerate(names)
    ]


def numbers(*names: str) -> dict[int, str]:
    """Return the names by number."""
    return {number: choice.name for number, choice in numbered_choices(choices(*names)).items()}


def test_choices_are_numbered_in_their_order() -> None:
    assert numbers("lay R14", "lay B2", "pass") == {1: "lay R14", 2: "lay B2", 3: "pass"}


def test_a_label_that_is_a_number_keeps_it() -> None:
    """Zero, too; the others get the numbers that are left."""
    assert numbers("call 0", "call 2", "pass", "call 1", "show") == {
        0: "call 0",
        1: "call 1",
        2: "call 2",
        3: "pass",
        4: "show",
    }


def test_a_label_that_several_choices_have_is_the_number_of_none() -> None:
    assert numbers("bid 1", "call 1", "pass") == {2: "bid 1", 3: "call 1", 4: "pass"}
