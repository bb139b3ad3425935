"""The detail of the table: the contents of a spot, and consequences or reasons of actions."""

from collections.abc import Callable

from cardhub.play.host.session import Session
from cardhub.view.spots import Spot
from cardhub.view.texts.card_texts import sentences
from cardhub.view.view import AreaView, ChoiceView, View

# Gets the detail of a spot: a title in the first line, all else in the second.
Receive = Callable[[str], None]


class DetailReader:
    """Asks a session about one spot at a time: answers about an earlier one are dropped."""

    def __init__(self) -> None:
        self._number = 0

    def ask(
        self, session: Session, view: View, spot: Spot, picked: int | None, receive: Receive
    ) -> None:
        """Call `receive` with the detail, again whenever more of it has arrived."""
        self._number += 1
        number = self._number
        parts = {"what": "", "then": ""}

        def put(part: str, text: str) -> None:
            if number == self._number:
                parts[part] = text
                title, _, what = parts["what"].partition("\n")
                receive(f"{title}\n{sentences(what, parts['then'])}")

        session.explain(spot, lambda text: put("what", text))
        choices = view.choices_at(spot)
        chosen = [choice for choice in choices if choice.action == picked] or choices
        if len(chosen) == 1:
            (choice,) = chosen
            enter = _enter(choice, spot)
            session.says(choice.action, lambda text: put("then", sentences(enter, text)))
        elif choices:
            put("then", f"Enter asks which: {', '.join(choice.name for choice in choices)}.")
        elif view.choices and in_own_hand(view, spot):
            session.why_not(spot, lambda text: put("then", text))

    def ask_why(self, session: Session, spot: Spot, receive: Receive) -> None:
        """Call `receive` with why no action is possible at a spot, or with its actions."""
        self._number += 1
        number = self._number

        def put(text: str) -> None:
            if number == self._number:
                receive(text)

        session.why_not(spot, put)

    def drop(self) -> None:
        """Drop answers that have not arrived."""
        self._number += 1


def in_own_hand(view: View, spot: Spot) -> bool:
    """Return whether a spot is a card in the viewer's hand."""
    if spot.kind != "card" or not 0 <= spot.area < len(view.areas):
        return False
    area = view.areas[spot.area]
    return isinstance(area, AreaView) and area.region == "hand"


def _enter(choice: ChoiceView, spot: Spot) -> str:
    """Return the effect of Enter: empty for a button, the verb for a card."""
    if spot.kind == "button":
        return ""
    return f"Enter: {choice.verb if choice.spots == (spot,) else choice.name}"
