"""The scene of a state of Roses and skulls, and sentences about actions."""

from cardhub import Area, Names, Scene, Target, clockwise
from roses.table import (
    ACTIONS,
    BIDDING,
    COLLECTING,
    LAYING,
    LOSING,
    NO_SEAT,
    STARTING,
    TURN,
    TURNING,
    WINS,
    Table,
    closed,
    is_in,
)

PROMPTS = {
    TURNING: "turn up the top disc of a player",
    COLLECTING: "collect the discs",
    LOSING: "choose the disc that you lose",
    STARTING: "choose the player who begins",
}


def scene(state: Table, viewer: int) -> Scene:
    """Return the mats and hands by seat, the viewer's own last."""
    own = viewer if viewer < state.seats else state.seats - 1
    areas = [
        area for seat in clockwise(own + 1, state.seats) for area in areas_of(state, seat, viewer)
    ]
    points = {
        TURN + seat: Target("card", closed(state, seat)[-1])
        for seat in range(state.seats)
        if closed(state, seat)
    }
    return Scene(prompt(state), areas, points)


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the areas of a seat."""
    if not is_in(state, seat):
        return [Area("", seat=seat, note="out")]
    areas = [Area("mat", state.mat[seat], seat), Area("won", seat=seat, note=str(state.wins[seat]))]
    if state.bid and seat == state.challenger:
        areas.append(Area("bids", seat=seat, note=str(state.bid)))
    elif state.passed[seat]:
        areas.append(Area("", seat=seat, note="passed"))
    return [*areas, Area("hand", state.hand[seat], seat, "hand" if seat == viewer else "row")]


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.phase == LAYING:
        can_bid = all(state.mat[seat] for seat in range(state.seats) if is_in(state, seat))
        return "lay a disc, or bid a number of roses" if can_bid else "lay a disc"
    if state.phase == BIDDING:
        return f"bid more than {state.bid}, or pass"
    return PROMPTS.get(state.phase, "take a disc")


def story(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Return an action and its results as sentences."""
    return [*told(before, action, names), *results(before, after, names)]


def told(before: Table, action: int, names: Names) -> list[str]:
    """Return the action itself as a sentence."""
    verb, index = ACTIONS.verb_and_index[action]
    if verb == "collect":
        return ["All discs return to their hands"]
    if verb in ("lose", "take"):
        return [f"{names.player(before.challenger)} loses {names.phrase(index)}"]
    player = names.player(before.seat)
    match verb:
        case "lay":
            return [f"{player} lays {names.phrase(index)}"]
        case "bid":
            return [f"{player} bids {index + 1}"]
        case "start":
            return [f"{player} lets {names.player(index)} begin"]
    return [f"{player} passes"] if verb == "pass" else []


def results(before: Table, after: Table, names: Names) -> list[str]:
    """Return the discs turned up, the end of a challenge, and who is out."""
    lines = []
    player = names.player(after.challenger)
    fresh = after.turned[len(before.turned) :]
    if fresh:
        lines.append(f"{player} turns up {' '.join(map(names.card, fresh))}")
    if after.skull_of != NO_SEAT and before.skull_of == NO_SEAT:
        lines.append(f"{player} fails and loses a disc")
    if fresh and after.wins != before.wins:
        lines.append(f"{player} wins the challenge, {after.wins[after.challenger]} of {WINS}")
    lines += [
        f"{names.player(seat)} is out"
        for seat in range(after.seats)
        if is_in(before, seat) and not is_in(after, seat)
    ]
    return lines
