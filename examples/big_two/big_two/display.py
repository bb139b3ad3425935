"""The scene, the sentences about actions, the summary of a deal and the reasons against actions."""

from big_two.combinations import name
from big_two.table import ACTIONS, CARDS, STRENGTH, Table, bits
from big_two.turns import lowest_face
from cardhub import CHANCE, OVER, Area, Names, Scene, Summary, clockwise


def table(state: Table, viewer: int) -> Scene:
    """Return the scene: the cards to beat, then the cards of each seat, the viewer's own last."""
    areas = [Area("played before", state.out, look="count")] if state.out else []
    own = viewer if viewer < state.seats else state.seats - 1
    for seat in clockwise(own + 1, state.seats):
        areas.append(Area("points", seat=seat, note=str(state.points[seat])))
        is_own = seat == viewer
        hand = _sorted(state, state.hand[seat]) if is_own else state.hand[seat]
        areas.append(Area("hand", hand, seat, "hand" if is_own else "count"))
        if state.chosen[seat]:
            chosen = state.chosen[seat]
            areas.append(Area("chosen", _sorted(state, chosen) if is_own else chosen, seat))
        if state.table and seat == state.lead:
            areas.append(Area("played", state.table, seat, note=name(bits(state, state.table))))
    return Scene(_prompt(state), areas)


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: STRENGTH[state.face[token]])


def _prompt(state: Table) -> str:
    if state.seat == CHANCE:
        return "deal"
    if state.seat == OVER:
        return "the game is over"
    if state.table:
        return f"beat the {name(bits(state, state.table))} or pass"
    return f"lead a combination with {_lowest(state)}" if state.is_first else "lead any combination"


def _lowest(state: Table) -> str:
    return CARDS.faces[lowest_face(state.seats)].name


def describe(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Describe an action and its results."""
    verb, _ = ACTIONS.verb_and_index[action]
    if verb == "deal":
        return [f"Deal {after.number + 1}: {names.player(after.lead)} has {_lowest(after)}"]
    player = names.player(before.seat)
    if verb == "choose":
        return []  # told when the cards are played
    if verb == "pass":
        return [f"{player} passes"]
    played = sorted(before.chosen[before.seat], key=lambda token: STRENGTH[after.face[token]])
    return [f"{player} plays {names.cards(played)}"]


def summary(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the cards left and the points of all seats, if a deal has ended."""
    if after.number == before.number:
        return None
    rows = [["player", "cards left", "points", "total"]]
    for seat, points in enumerate(after.points):
        left = 0 if seat == before.seat else len(before.hand[seat])
        gained = points - before.points[seat]
        rows.append([names.player(seat), str(left), f"{gained:+}", str(points)])
    return Summary(f"Deal {after.number}: {names.player(before.seat)} is out of cards", rows)


def reason(state: Table, action: int, names: Names) -> str:
    """Return why an action that is not legal is not."""
    verb, token = ACTIONS.verb_and_index[action]
    chosen = state.chosen[state.seat]
    if verb == "pass":
        return "you have chosen cards" if chosen else "you lead"
    if verb == "play":
        return "the chosen cards are no play yet" if chosen else "you have chosen no cards"
    if verb == "deal":
        return "cards are dealt by chance"
    if token not in state.hand[state.seat]:
        return "you have chosen it already" if token in chosen else "it is not in your hand"
    together = f" together with {names.cards(_sorted(state, chosen))}" if chosen else ""
    if state.is_first:
        return f"it makes no combination with {_lowest(state)}{together}"
    if state.table:
        kind = name(bits(state, state.table))
        return f"no {kind} of yours with it{together} beats {names.cards(state.table)}"
    return f"it makes no combination{together}"
