"""Why no determinization exists, in words made from the observation alone."""

from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.hidden.constraints.drawing import ContradictionError
from cardhub.hidden.constraints.masks import faces_of
from cardhub.table.state import State

NAMED = 12
"""How many cards an error names."""


def explained(game: Game[Any], state: State, error: ContradictionError) -> DeterminizationError:
    """Return the error to raise where what a seat knows contradicts itself."""
    tokens = [f"{_card(game, state, token)}#{token}" for token in sorted(error.tokens)]
    one = len(tokens) == 1
    cards = f"this card ({tokens[0]})" if one else f"these {len(tokens)} cards ({_some(tokens)})"
    if error.mask is None:
        shuffle = f"in shuffle {error.number + 1}" if error.number >= 0 else "from the deal"
        what = f"{cards} cannot have come {shuffle} if all that was seen before and after is true"
    elif not error.mask:
        what = f"{cards} cannot be any of the unseen cards"
    else:
        faces = [game.cards.faces[face].name for face in faces_of(error.mask)]
        what = f"{cards} can only be {_some(faces, 'or')}, of which there are too few"
    return DeterminizationError(
        f"{game.name}: no determinization exists: {what}. "
        "fix: allows() or possible() must never deny the truth"
    )


def _card(game: Game[Any], state: State, token: int) -> str:
    return game.cards.backs[state.back[token]].unknown


def _some(names: list[str], word: str = "and") -> str:
    named, more = names[:NAMED], len(names) - NAMED
    if more > 0:
        named.append(f"{more} more")
    *most, last = named
    return f"{', '.join(most)} {word} {last}" if most else last
