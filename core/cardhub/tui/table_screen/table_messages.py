"""Messages from the widgets of the table and from bots to its screen."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from cardhub.view.spots import Spot


@dataclass
class ActionChosen(Message):
    """The person at the terminal chose this action."""

    action: int


@dataclass
class ChoiceWanted(Message):
    """The person chose a spot that has several actions."""

    actions: Sequence[int]


@dataclass
class Pointed(Message):
    """The cursor or the mouse moved to a spot; `is_opened`: its whole text is to be shown."""

    text: str
    is_opened: bool = False


@dataclass
class IllegalChosen(Message):
    """The person chose a spot that has no legal action."""

    spot: Spot


@dataclass
class WhyAsked(Message):
    """The person asked why no action is possible at a spot."""

    spot: Spot


@dataclass
class BotAnswered(Message):
    """The bot answered in the turn with this number: an action, or a BotFaultError.

    `is_due`: the answer was held back for the pace of the game and counts now.
    """

    turn: int
    answer: object
    is_due: bool = False


@dataclass
class HintAnswered(Message):
    """The hint with this number is ready: a list of Rated, or the exception BotFaultError."""

    number: int
    answer: object
