"""The numbers of buttons, which people type as digits."""

from collections import Counter
from typing import NamedTuple

from cardhub.view.view import AreaView, ChoiceView, Spot, View


class NumberedButton(NamedTuple):
    """A choice without a spot on the table, and the number to type for it.

    Of several buttons with one verb, those whose labels are numbers have these numbers; `number` is
    None if an earlier button has the same label. `is_labelled`: the number is the label.
    """

    choice: ChoiceView
    number: int | None
    is_labelled: bool = False


class Press(NamedTuple):
    """The button that typed digits mean; `is_final`: no longer number begins with these digits."""

    choice: ChoiceView
    is_final: bool


def numbered(view: View) -> list[NumberedButton]:
    """Return the buttons of a view in the order of the choices, with their numbers.

    The number of a button is never the label of another button.
    """
    choices = [choice for choice in view.choices if _is_button(view, choice)]
    verbs = Counter(choice.verb for choice in choices)
    labels = [_label_number(choice, verbs[choice.verb]) for choice in choices]
    free = (number for number in range(1, 3 * len(choices)) if number not in labels)
    taken: set[int] = set()
    buttons = []
    for choice, label in zip(choices, labels, strict=True):
        if label in taken:
            buttons.append(NumberedButton(choice, None))
            continue
        number = next(free) if label is None else label
        taken.add(number)
        buttons.append(NumberedButton(choice, number, label is not None))
    return buttons


def find_press(view: View, typed: str) -> Press | None:
    """Return the button that the typed digits mean, or None.

    With more than nine buttons, the first digit may also begin other numbers: then the cursor moves
    to the button, and a further digit or Enter acts.
    """
    buttons = {str(b.number): b.choice for b in numbered(view) if b.number is not None}
    if typed not in buttons:
        return None
    longer = any(number != typed and number.startswith(typed) for number in buttons)
    return Press(buttons[typed], not longer)


def _is_button(view: View, choice: ChoiceView) -> bool:
    """Return whether the cursor cannot stop at any spot of a choice except its button."""
    return all(spot.kind == "button" or _is_without_stop(view, spot) for spot in choice.spots)


def _is_without_stop(view: View, spot: Spot) -> bool:
    area = view.areas[spot.area] if spot.kind == "area" else None
    if not isinstance(area, AreaView):
        return False
    is_empty = area.region == "seat" and area.seat is not None and not area.count
    return area.region in ("hand", "front") or is_empty


def _label_number(choice: ChoiceView, of_verb: int) -> int | None:
    """Return a button's label as a number, or None; `of_verb`: the number of the verb's buttons.

    The number of a single button may be any amount: `call 15` is no key to choose from.
    """
    label = choice.object if of_verb > 1 else "" if choice.object else choice.verb
    return int(label) if label.isascii() and label.isdigit() else None
