"""The faces that a viewer has not seen, by their back."""

from collections import Counter
from typing import Any

from cardhub.hidden.observation import Observation
from cardhub.hidden.unseen_faces import unseen_faces
from cardhub.table.faces import blanked
from cardhub.view.texts.card_texts import capitalized


def unseen_lines(observation: Observation[Any]) -> list[str]:
    """Return a line for each back with unseen faces: `Red card: R7 R8 2×R12`.

    Which faces are in play is public, so this follows from the cards that the viewer has seen.
    """
    game, state = observation.game, observation.state
    cards = game.cards
    counts: Counter[int] = Counter()
    for pool in unseen_faces(game, state, blanked(state.face)):
        counts.update(pool)
    lines = []
    for back, described in enumerate(cards.backs):
        names = [
            cards.faces[face].label if count == 1 else f"{count}×{cards.faces[face].label}"
            for face, count in sorted(counts.items())
            if cards.back_of[face] == back and count
        ]
        if names:
            lines.append(f"{_kind(described.title)}: {cards.separator.join(names)}")
    return lines


def _kind(title: str) -> str:
    """Return the title of a back, such as `a red card`, without its article."""
    first, _, rest = title.partition(" ")
    return capitalized(rest if first in ("a", "an") and rest else title)
