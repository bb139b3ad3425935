"""The rules of playing a card: the faces that each demands of a hand."""

from hearts.table import FACES, NO_HEARTS, OF_SUIT, TWO_OF_CLUBS, WORTHLESS

# Their names.
FOLLOW, NO_POINTS, FIRST_LEAD, UNBROKEN = "follow", "no points", "first lead", "unbroken"
# A rule: for each face whether it is demanded.
Rule = tuple[list[bool], str]


def demand(faces: int, name: str) -> Rule:
    """Return the rule that demands the faces of a mask."""
    return [bool(faces >> face & 1) for face in FACES], name


# The rules of each situation; two by the suit led.
FOLLOWING = [[demand(faces, FOLLOW)] for faces in OF_SUIT]
FOLLOWING_FIRST = [[*follow, demand(WORTHLESS, NO_POINTS)] for follow in FOLLOWING]
LEADING_FIRST: list[Rule] = [demand(1 << TWO_OF_CLUBS, FIRST_LEAD)]
LEADING: list[Rule] = [demand(NO_HEARTS, UNBROKEN)]
ANY_CARD: list[Rule] = []
