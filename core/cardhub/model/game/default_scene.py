"""The default scene, for games that define none: zones, scores and a prompt."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, ClassVar, Protocol

from cardhub.base.errors import HiddenFaceError
from cardhub.base.writing import listed
from cardhub.model.cards import Cards
from cardhub.model.game.scene import Area, Grid, Look, Place, Scene, SeatLine
from cardhub.model.table.actions import Actions, Sites, Tokens
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import amount_text, score_text
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import OVER, State
from cardhub.model.table.state_declaration import Zone

# From this number of cards on, a row of faces becomes a pile, of which the last cards are shown.
MOST_IN_ROW = 13
# With more different verbs a prompt would be a list of all actions.
MOST_VERBS = 5


class ShownRules(Protocol):
    """The rules of a game, as far as its default scene needs them."""

    cards: ClassVar[Cards]
    actions: ClassVar[Actions]
    phases: ClassVar[Sequence[str]]
    goal: ClassVar[Goal]
    unit: ClassVar[str]

    def legal(self, state: Any, /) -> list[int]:
        """Return the legal actions of the seat to act."""
        ...

    def scores(self, state: Any, /) -> list[int]:
        """Return the current score of every seat."""
        ...

    def unit_size(self, settings: Settings, /) -> int:
        """Return the score that makes one of `unit`."""
        ...


def default_scene(rules: ShownRules, state: State, viewer: int) -> Scene:
    """Return a scene made from the zones of a viewer's observation.

    Shared zones come first, in the centre; a zone of `piles` is a board if `Sites` of the same
    number are declared. Captions are the names of the zones (`won_cards`: "won cards"). The first
    zone of the viewer's own that hides its faces is the hand, sorted by face if all of them are
    seen; the first zone of a seat that all see is in front of the player. The prompt names the
    phase and the legal verbs ("bidding: bid or pass"). Scores are shown if all depend on seen
    faces.
    """
    legal = _legal(rules, state)
    targets = {rules.actions.token(action) for action in legal}
    areas: list[Area | Grid] = list(_shared_areas(rules, state, targets))
    own = [zone for zone in state.zones if zone.count == 0]
    hand = next((zone for zone in own if zone.faces in ("owner", "others")), None)
    front = next((zone for zone in own if zone.faces == "all"), None)
    for seat in range(state.seats):
        for zone in own:
            is_hand = zone is hand and seat == viewer
            look = "hand" if is_hand else _look(rules, zone, zone.piles(state)[seat], targets)
            place: Place | None = "front" if zone is front else None
            areas.append(_seat_area(state, zone, seat, look, place))
    scores = _scores(rules, state)
    if rules.goal is Goal.COMMON:
        return Scene(_prompt(rules, state, legal), areas, status=next(iter(scores), ""))
    lines = {seat: SeatLine(score) for seat, score in enumerate(scores)}
    return Scene(_prompt(rules, state, legal), areas, seats=lines)


def _shared_areas(
    rules: ShownRules, state: State, targets: Set[int | None]
) -> Iterator[Area | Grid]:
    boards = {g.size: g for g in rules.actions.groups if isinstance(g, Sites)}
    for zone in state.zones:
        piles = zone.piles(state)
        if zone.count and zone.count in boards:
            board = boards[zone.count]
            yield Grid(zone.noun, board.rows, board.columns, piles)
        elif zone.count != 0:
            for number, pile in enumerate(piles, 1):
                name = zone.noun + (f" ({number})" if zone.count else "")
                yield Area(name, pile, look=_look(rules, zone, pile, targets))


def _seat_area(state: State, zone: Zone, seat: int, look: Look, place: Place | None) -> Area:
    tokens, faces = zone.piles(state)[seat], blanked(state.face)
    # Sorted only if all faces are seen: the order of some would show which token has which face.
    if look == "hand" and all(faces[token] != BLANK for token in tokens):
        tokens = sorted(tokens, key=faces.__getitem__)
    # The same at every step, so the table never moves; more cards are drawn closer together.
    room = min(len(faces), MOST_IN_ROW)
    return Area(zone.noun, tokens, seat, look, place=place, room=room)


def _look(rules: ShownRules, zone: Zone, pile: Sequence[int], targets: Set[int | None]) -> Look:
    if zone.faces == "nobody":
        # Backs that are all the same need not be drawn, unless an action is on one of them.
        is_drawn = len(rules.cards.backs) > 1 or not targets.isdisjoint(pile)
        return "pile" if is_drawn else "count"
    is_long = zone.faces == "all" and len(pile) > MOST_IN_ROW
    return "pile" if is_long else "row"


def _scores(rules: ShownRules, state: State) -> list[str]:
    """Return the score of every seat as text; none if they depend on cards not seen."""
    try:
        scores = rules.scores(state)
    except HiddenFaceError:
        return []
    size = rules.unit_size(state.settings)
    return [amount_text(score_text(score, size), rules.unit) for score in scores]


def _legal(rules: ShownRules, state: State) -> list[int]:
    """Return the legal actions; none at the end, or if the seat to act knows more than a viewer."""
    if state.seat == OVER:
        return []
    try:
        return sorted(rules.legal(state))
    except HiddenFaceError:
        return []


def _prompt(rules: ShownRules, state: State, legal: Sequence[int]) -> str:
    if state.seat == OVER:
        return "the game is over"
    phase = rules.phases[state.phase] if rules.phases else ""
    # A phase is often named like its only action.
    parts = dict.fromkeys(part for part in (phase, _deeds(rules, legal)) if part)
    return ": ".join(parts) or "choose an action"


def _deeds(rules: ShownRules, legal: Sequence[int]) -> str:
    """Return the legal actions by verb as a string, empty if they are many or unknown."""
    # By verb: two groups may share one.
    verbs: Mapping[str, str] = {
        group.verb: f"{group.verb} a card" if isinstance(group, Tokens) else group.verb
        for group, _ in map(rules.actions.group, legal)
    }
    return listed(list(verbs.values()), "or") if len(verbs) <= MOST_VERBS else ""
