"""Cards of a game in words: names, details and texts."""

from typing import Any

from cardhub.errors import IllegalActionError
from cardhub.errors.suggestions import did_you_mean, folded
from cardhub.game.game import Game
from cardhub.game.scene import Area, Grid
from cardhub.game.scene_faults import shown_tokens
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked


def describe_face(game: Game[Any], face: int) -> str:
    """Return a face as people know it, with its title, detail and text."""
    card = game.cards.faces[face]
    name = card.label if card.title == card.label else f"{card.label} {card.title}"
    head = ", ".join(part for part in (name, game.detail(card)) if part)
    return sentences(head, card.text)


def explain_card(game: Game[Any], text: str) -> str:
    """Describe the card that a person means by its label, name or title, or a part of it.

    Raises IllegalActionError with the cards that the text may mean.
    """
    wanted = folded(text)
    names = [
        {each.casefold() for each in (card.label, card.name, card.title)}
        for card in game.cards.faces
    ]
    exact = [face for face, known in enumerate(names) if wanted in known]
    part = [face for face, known in enumerate(names) if any(wanted in name for name in known)]
    found = exact or part
    if len(found) == 1:
        return describe_face(game, found[0])
    labels = [game.cards.faces[face].label for face in found]
    if labels:
        raise IllegalActionError(f"{text!r} could be {', '.join(labels)}")
    hint = did_you_mean(text, [card.label for card in game.cards.faces])
    raise IllegalActionError(f"{game.title} has no card {text!r}.{hint}")


def describe_cards_in_sight(observation: Observation[Any]) -> list[str]:
    """Describe each face that the viewer sees on the table, in the order of the card file."""
    faces = blanked(observation.state.face)
    shown = {
        faces[token]
        for area in observation.scene().areas
        for token in _shown(area)
        if faces[token] >= 0
    }
    return [describe_face(observation.game, face) for face in sorted(shown)]


def sentences(head: str, text: str) -> str:
    """Return title and text of a card as a string, with a full stop between them if needed."""
    stop = "" if head.endswith((".", "!", "?")) else "."
    return f"{head}{stop} {text}" if head and text else head or text


def _shown(area: Area | Grid) -> list[int]:
    return [] if isinstance(area, Area) and area.closed else shown_tokens(area)
