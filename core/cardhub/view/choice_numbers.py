"""The numbers by which choices can be typed."""

from collections.abc import Iterable
from itertools import count

from cardhub.view.view import ChoiceView


def numbered_choices(choices: Iterable[ChoiceView]) -> dict[int, ChoiceView]:
    """Return choices by number, in ascending order.

    A choice whose object is a number, such as `call 3`, has that number if no other choice has the
    same; all others get the numbers from 1 that are left, in their order.
    """
    given = list(choices)
    objects = [choice.object for choice in given]
    own = {
        int(choice.object): choice
        for choice in given
        if choice.object.isdecimal() and objects.count(choice.object) == 1
    }
    numeric = {choice.object for choice in given if choice.object.isdecimal()}
    # The number of a label must not mean another choice, even where several have that label.
    free = (number for number in count(1) if str(number) not in numeric)
    named = {id(choice) for choice in own.values()}
    others = {next(free): choice for choice in given if id(choice) not in named}
    return dict(sorted((own | others).items()))
