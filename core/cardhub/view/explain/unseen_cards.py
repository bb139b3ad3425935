"""A viewer's unseen faces by back. Compiled, so it stands apart from `explanations`."""

from collections.abc import Sequence
from typing import Any

from cardhub.base.writing import capitalized
from cardhub.model.cards.cards import Cards
from cardhub.model.hidden.determinize import unseen_copies
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import BLANK, blanked


class UnseenLines:
    """The lines of one viewer at a table; an update rebuilds only the lines of changed backs."""

    def __init__(self) -> None:
        self._faces: list[int] = []  # the seen faces by token
        self._unseen: list[int] = []  # the unseen copies of each face
        self._texts: list[str] = []  # by back, empty if all its faces are seen

    def of(self, observation: Observation[Any]) -> list[str]:
        """Return `unseen_lines` of an observation; all calls must be for one game and options."""
        faces = blanked(observation.state.face)
        if faces != self._faces:
            self._update(observation, faces)
        return [text for text in self._texts if text]

    def _update(self, observation: Observation[Any], faces: list[int]) -> None:
        game, unseen = observation.game, self._unseen
        cards, backs = game.cards, set[int]()
        if not unseen:
            unseen += unseen_copies(game, observation.state, ())
            self._texts, self._faces = [""] * len(cards.backs), [BLANK] * len(faces)
            backs |= {*range(len(cards.backs))}
        for old, new in zip(self._faces, faces, strict=True):
            if old != new:
                for face, change in ((old, 1), (new, -1)):
                    if face != BLANK:
                        unseen[face] += change
                        backs.add(cards.back_of[face])
        self._faces = faces
        for back in backs:
            self._texts[back] = _line(cards, back, unseen)


def unseen_lines(observation: Observation[Any]) -> list[str]:
    """Return a line for each back with unseen faces: `Red card: R7 R8 2×R12`.

    Which faces are in play is public, so this follows from the cards that the viewer has seen.
    """
    game, state = observation.game, observation.state
    unseen = unseen_copies(game, state, blanked(state.face))
    lines = [_line(game.cards, back, unseen) for back in range(len(game.cards.backs))]
    return [line for line in lines if line]


def _line(cards: Cards, back: int, unseen: Sequence[int]) -> str:
    listed = [
        card.label if unseen[face] == 1 else f"{unseen[face]}×{card.label}"
        for face, card in enumerate(cards.faces)
        if unseen[face] > 0 and cards.back_of[face] == back
    ]
    return f"{_kind(cards.backs[back].title)}: {cards.separator.join(listed)}" if listed else ""


def _kind(title: str) -> str:
    """Return the title of a back, such as `a red card`, without its article."""
    first, _, rest = title.partition(" ")
    return capitalized(rest if first in ("a", "an") and rest else title)
