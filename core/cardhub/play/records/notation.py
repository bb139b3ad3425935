"""Notation of actions and cards in records."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import Outcome
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.faces import BLANK, MaskedFaces
from cardhub.model.table.state import State


def write_faces(game: Game[Any], faces: Sequence[int], backs: Sequence[int]) -> list[str]:
    """Encode faces as card names; a BLANK becomes its back's unknown card, such as `R?`."""
    cards = game.cards
    return [
        cards.backs[back].unknown if face == BLANK else cards.faces[face].name
        for face, back in zip(faces, backs, strict=True)
    ]


def read_faces(game: Game[Any], names: Sequence[str]) -> Outcome:
    """Decode card names as faces and backs; raises LookupError for an unknown name."""
    unknown = {back.unknown: number for number, back in enumerate(game.cards.backs)}
    faces = [BLANK if name in unknown else game.cards.face(name) for name in names]
    backs = [
        unknown[name] if face == BLANK else game.cards.back_of[face]
        for name, face in zip(names, faces, strict=True)
    ]
    return Outcome(tuple(faces), tuple(backs))


def fits(faces: Sequence[int], cards: Sequence[int]) -> bool:
    """Return whether `faces` can be a permutation of `cards`; BLANKs match any card."""
    if len(faces) != len(cards):
        return False
    # A face known on one side only must be one of the BLANKs on the other side.
    mine, theirs = Counter(faces), Counter(cards)
    free, owed = mine.pop(BLANK, 0), theirs.pop(BLANK, 0)
    return (mine - theirs).total() <= owed and (theirs - mine).total() <= free


def read_action(game: Game[Any], state: State, text: str, labels: Labels) -> int:
    """Parse an action; raises IllegalActionError, whose `full` names the legal actions.

    `labels`: the labels of the state.
    """
    try:
        legal = game.legal(state)
    except HiddenFaceError:
        # In a redacted record the legal actions may depend on blank faces: any action matches.
        actions, tokens, seats = game.actions, len(state.face), state.seats
        legal = [a for a in range(actions.size) if actions.is_in_play(a, tokens, seats)]
    if not isinstance(state.face, MaskedFaces):
        # One notation after the other is cheap where no face is hidden, and half of them are
        # enough; hidden ones are compared with all others, so `notations` is faster.
        for action in legal:
            if labels.notation(action, legal) == text:
                return action
    names = labels.notations(legal)
    if text in names:
        return names[text]
    # A redacted record has the token of every card, also where this state needs none.
    bare, _, token = text.partition("#")
    for action in legal:
        if str(game.actions.token(action)) == token and labels.notation(action).startswith(bare):
            return action
    full = f"{text!r} is not legal here. Legal: {', '.join(names)}"
    raise IllegalActionError("this action is not legal here", text, full)


def notation_with_token(game: Game[Any], labels: Labels, action: int) -> str:
    """Return an action in the notation of redacted records, which always includes the token."""
    # Without the token it would reveal that no other card in the hand has the same name.
    text, token = labels.notation(action), game.actions.token(action)
    return text if token is None or "#" in text else f"{text}#{token}"
