"""Cards of a game in words: names, details and texts."""

from collections.abc import Iterator

from cardhub.base.errors import IllegalActionError
from cardhub.base.errors.quoting import did_you_mean, folded
from cardhub.base.writing import capitalized
from cardhub.view.view import AreaView, CardCatalogue, CardFace, CardView, View


def describe_face(face: CardFace) -> str:
    """Return a face as people know it, with its title, corner, detail and text."""
    name = face.label if face.title == face.label else f"{face.label} {face.title}"
    # A game without a separate corner uses the short name.
    corner = "" if face.corner in (face.short, face.label) else face.corner
    head = ", ".join(part for part in (name, corner, face.detail) if part)
    return sentences(head, face.text)


def face_title(face: CardFace) -> str:
    """Return title, name, corner and detail of a face on one line: `Pegasus 8 · B8 · 2●`."""
    name = "" if face.title in (face.label, face.short) else face.label
    corner = "" if face.corner in (face.short, face.label) else face.corner
    return " · ".join(part for part in (face.title, name, corner, face.detail) if part)


def explain_card(catalogue: CardCatalogue, text: str) -> str:
    """Describe the card that a typed label, name, title, or part of one of them means.

    Raises IllegalActionError if the text means no card or several; the message lists the cards that
    it may mean.
    """
    wanted, faces = folded(text), catalogue.faces
    names = [{name.casefold() for name in (f.label, f.name, f.title)} for f in faces]
    exact = [face for face, texts in enumerate(names) if wanted in texts]
    partial = [face for face, texts in enumerate(names) if any(wanted in name for name in texts)]
    matches = exact or partial
    if len(matches) == 1:
        return describe_face(faces[matches[0]])
    labels = [face.label for face in faces]
    if matches:
        raise IllegalActionError(f"{text!r} could be {', '.join(labels[face] for face in matches)}")
    raise IllegalActionError(f"the game has no card {text!r}.{did_you_mean(text, labels)}")


def describe_cards_in_sight(view: View, catalogue: CardCatalogue) -> list[str]:
    """Describe each face that the viewer sees on the table, in the order of the card file."""
    shown = {card.face for card in cards_in_sight(view) if card.face is not None}
    return [describe_face(catalogue.faces[face]) for face in sorted(shown)]


def cards_in_sight(view: View) -> Iterator[CardView]:
    """Yield the cards of all areas and sites of a view."""
    for area in view.areas:
        stacks = (area.cards,) if isinstance(area, AreaView) else area.stacks
        for stack in stacks:
            yield from stack


def sentences(head: str, text: str) -> str:
    """Join a title and a text, with a full stop between them if needed."""
    stop = "" if head.endswith((".", "!", "?")) else "."
    return f"{head}{stop} {text}" if head and text else head or text


def as_notice(message: str) -> str:
    """Return an error message for players: its remedy, after `fix:`, is a sentence of its own."""
    problem, _, remedy = message.partition("fix: ")
    return " ".join(as_sentence(part.strip()) for part in (problem, remedy) if part.strip())


def as_sentence(text: str) -> str:
    """Return a game's text with a capital first letter and a full stop at its end."""
    stop = "" if not text or text.endswith((".", "!", "?")) else "."
    return f"{capitalized(text)}{stop}"
