"""The faces that a viewer has not seen, by their back."""

from typing import Any

from cardhub.hidden.observation import Observation
from cardhub.hidden.unseen_faces import unseen_copies
from cardhub.table.faces import blanked
from cardhub.view.texts.card_texts import capitalized


class UnseenLines:
    """The lines of one viewer at a table, made again only when other faces have been seen."""

    def __init__(self) -> None:
        self._known: list[int] | None = None
        self._lines: list[str] = []

    def of(self, observation: Observation[Any]) -> list[str]:
        """Return `unseen_lines` of an observation; all are of one game with its options."""
        known = blanked(observation.state.face)
        if known != self._known:
            self._known, self._lines = known, unseen_lines(observation)
        return self._lines


def unseen_lines(observation: Observation[Any]) -> list[str]:
    """Return a line for each back with unseen faces: `Red card: R7 R8 2×R12`.

    Which faces are in play is public, so this follows from the cards that the viewer has seen.
    """
    game, state = observation.game, observation.state
    cards = game.cards
    names: list[list[str]] = [[] for _ in cards.backs]
    copies = unseen_copies(game, state, blanked(state.face))
    for count, card, back in zip(copies, cards.faces, cards.back_of, strict=True):
        if count > 0:
            names[back].append(card.label if count == 1 else f"{count}×{card.label}")
    return [
        f"{_kind(back.title)}: {cards.separator.join(listed)}"
        for back, listed in zip(cards.backs, names, strict=True)
        if listed
    ]


def _kind(title: str) -> str:
    """Return the title of a back, such as `a red card`, without its article."""
    first, _, rest = title.partition(" ")
    return capitalized(rest if first in ("a", "an") and rest else title)
