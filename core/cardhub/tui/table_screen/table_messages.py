"""What the widgets of the table tell its screen."""

from collections.abc import Sequence

from textual.message import Message


class ActionChosen(Message):
    """Somebody wants to take this action."""

    def __init__(self, action: int) -> None:
        self.action = action
        super().__init__()


class ChoiceWanted(Message):
    """Somebody chose something with which several things can be done."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = actions
        super().__init__()


class Pointed(Message):
    """The cursor or the mouse is at what `text` explains; `opened` if somebody wants all of it."""

    def __init__(self, text: str, *, opened: bool = False) -> None:
        self.text = text
        self.opened = opened
        super().__init__()


class BotAnswered(Message):
    """A bot has chosen in the turn with this number, or there is a BotFaultError.

    `is_asked_for` if it was held back until now.
    """

    def __init__(self, turn: int, answer: object, *, is_asked_for: bool = False) -> None:
        self.turn = turn
        self.answer = answer
        self.is_asked_for = is_asked_for
        super().__init__()


class HintAnswered(Message):
    """The hint with this number is there, as a list of Rated, or there is a BotFaultError."""

    def __init__(self, number: int, answer: object) -> None:
        self.number = number
        self.answer = answer
        super().__init__()
