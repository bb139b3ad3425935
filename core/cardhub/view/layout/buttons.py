"""Numbers of buttons, which are typed as digits."""

from typing import NamedTuple

from cardhub.view.view import AreaView, ChoiceView, Spot, View


class NumberedButton(NamedTuple):
    """A choice without a spot on the table, and the number that it is typed with.

    A label that is a number itself is typed as it is; `number` is None where another button has
    this label too.
    """

    choice: ChoiceView
    number: int | None

    @property
    def is_labelled(self) -> bool:
        """Whether the number is the label."""
        return label_number(self.choice) == self.number is not None


class Press(NamedTuple):
    """The button that typed digits stand for so far; `is_final`: more digits mean no other one."""

    choice: ChoiceView
    is_final: bool


def numbered(view: View) -> list[NumberedButton]:
    """Return the buttons of a view in the order of the choices, with their numbers.

    A number never stands for one button and is the label of another.
    """
    choices = [each for each in view.choices if _is_button(view, each)]
    labels = {label_number(choice) for choice in choices}
    free = (number for number in range(1, 2 * len(choices) + len(labels)) if number not in labels)
    taken: set[int] = set()
    found = []
    for choice in choices:
        number = label_number(choice)
        if number is None:
            number = next(free)
        elif number in taken:
            found.append(NumberedButton(choice, None))
            continue
        taken.add(number)
        found.append(NumberedButton(choice, number))
    return found


def press(view: View, typed: str) -> Press | None:
    """Return the button that digits typed one after the other stand for, or None.

    With more than nine buttons the first digit may begin other numbers as well: then the cursor
    goes to the button, and only a further digit or Enter acts.
    """
    buttons = {str(each.number): each.choice for each in numbered(view) if each.number is not None}
    if typed not in buttons:
        return None
    longer = any(number != typed and number.startswith(typed) for number in buttons)
    return Press(buttons[typed], not longer)


def _is_button(view: View, choice: ChoiceView) -> bool:
    """Tell whether no spot of a choice is a stop of its own, such as cards before a seat."""
    return all(spot.kind == "button" or _is_without_stop(view, spot) for spot in choice.spots)


def _is_without_stop(view: View, spot: Spot) -> bool:
    area = view.areas[spot.area] if spot.kind == "area" else None
    if not isinstance(area, AreaView):
        return False
    is_empty = area.region == "seat" and area.seat is not None and not area.count
    return area.region in ("hand", "front") or is_empty


def label_number(choice: ChoiceView) -> int | None:
    """Return the number that a button's label is, or None."""
    label = choice.object or choice.verb
    return int(label) if label.isascii() and label.isdigit() else None
