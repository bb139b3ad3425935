"""The detail of the table: the contents of a spot, and consequences or reasons of actions."""

import re
from collections.abc import Callable

from cardhub.host.session import Session
from cardhub.view.spots import Spot
from cardhub.view.view import AreaView, View

# Where the title of a card or site ends in its description: at a mark, or before the consequence.
TITLE_END = re.compile(r"[,.:;](?= |$)| (?=\()|(?=  )")
# Between the description of a spot and the consequence of its action.
GAP = "  "

# Gets the detail of a spot.
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
                receive(GAP.join(filter(None, parts.values())))

        session.explain(spot, lambda text: put("what", text))
        choices = view.choices_at(spot)
        chosen = [choice for choice in choices if choice.action == picked] or choices
        if len(chosen) == 1:
            (choice,) = chosen
            session.says(choice.action, lambda text: put("then", _consequence(choice.name, text)))
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


def titled(detail: str) -> tuple[str, str]:
    """Return the title of a detail, the name of its card or site, and the text after it."""
    end = TITLE_END.search(detail)
    at = end.end() if end else 0
    return detail[:at].rstrip(" ,;"), detail[at:].strip()


def in_own_hand(view: View, spot: Spot) -> bool:
    """Return whether a spot is a card in the viewer's hand."""
    if spot.kind != "card" or not 0 <= spot.area < len(view.areas):
        return False
    area = view.areas[spot.area]
    return isinstance(area, AreaView) and area.region == "hand"


def _consequence(name: str, says: str) -> str:
    return f"Enter: {name}. {says}".strip() if says else f"Enter: {name}."
