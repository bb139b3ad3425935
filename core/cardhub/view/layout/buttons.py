"""The numbers of buttons, which people type as digits."""

from typing import NamedTuple

from cardhub.view.view import AreaView, ChoiceView, Spot, View


class NumberedButton(NamedTuple):
    """A choice without a spot on the table, and the number to type for it.

    A button whose label is a number has this number; `number` is None if an earlier button has the
    same label.
    """

    choice: ChoiceView
    number: int | None

    @property
    def is_labelled(self) -> bool:
        """Whether the number is the label."""
        return label_number(self.choice) == self.number is not None


class Press(NamedTuple):
    """The button that typed digits mean; `is_final`: no longer number begins with these digits."""

    choice: ChoiceView
    is_final: bool


def numbered(view: View) -> list[NumberedButton]:
    """Return the buttons of a view in the order of the choices, with their numbers.

    The number of a button is never the label of another button.
    """
    choices = [choice for choice in view.choices if _is_button(view, choice)]
    labels = {label_number(choice) for choice in choices}
    free = (number for number in range(1, 2 * len(choices) + len(labels)) if number not in labels)
    taken: set[int] = set()
    buttons = []
    for choice in choices:
        number = label_number(choice)
        if number is None:
            number = next(free)
        elif number in taken:
            buttons.append(NumberedButton(choice, None))
            continue
        taken.add(number)
        buttons.append(NumberedButton(choice, number))
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


def label_number(choice: ChoiceView) -> int | None:
    """Return a button's label as a number, or None if it is not a number."""
    label = choice.object or choice.verb
    return int(label) if label.isascii() and label.isdigit() else None
