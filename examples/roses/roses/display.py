"""The display of Roses and skulls: the table and all texts for people."""

from typing import Literal

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Names,
    Scene,
    SeatLine,
    Summary,
    amount,
    clockwise,
    listed,
)
from roses import reasons
from roses.table import (
    ACTIONS,
    BIDDING,
    COLLECTING,
    DISCS,
    IS_SKULL,
    LAYING,
    LOSING,
    NO_SEAT,
    STARTING,
    TURNING,
    WINS,
    Table,
    count_laid,
    have_all_laid,
    is_in,
)

PROMPTS = {
    TURNING: "turn up the top disc of a player",
    COLLECTING: "collect the discs",
    LOSING: "choose the disc to lose",
    STARTING: "choose the player who begins",
}


class RosesDisplay(Display[Table]):
    """The mats and hands of all seats, and sentences about challenges."""

    needs_confirmation = ("pass",)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the mats and hands by seat, the viewer's own last."""
        # Spectators have no hand: they see the seats in their order.
        own = viewer if viewer < state.seats else state.seats - 1
        areas = [
            area
            for seat in clockwise(own + 1, state.seats)
            for area in areas_of(state, seat, viewer)
        ]
        lines = {seat: line_of(state, seat) for seat in range(state.seats)}
        marks = dict.fromkeys(state.turned, "up")
        return Scene(prompt(state), areas, marks=marks, status=status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action and the discs that it turned up; the rules log its results."""
        return [*action_texts(before, action, names), *turned_up(before, after, names)]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the discs of a challenge that ended, by player."""
        if not is_decided(before, after):
            return None
        # From the discs turned up, which all have seen.
        rows = [
            [names.player(seat), names.cards(token for token in mat if token in after.turned)]
            for seat, mat in enumerate(after.mat)
            if any(token in after.turned for token in mat)
        ]
        return Summary(title(after, names.player(after.challenger)), [["", "turned up"], *rows])

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return the reason; None where the names of the legal actions explain enough."""
        verb, value = ACTIONS.verb_and_value[action]
        # In other phases the prompt and the legal actions say enough.
        match verb:
            case "lay":
                return reasons.lay(state, value)
            case "bid":
                return reasons.bid(state, value)
            case "pass":
                return "nobody has bid yet" if state.phase == LAYING else None
            case "turn":
                return reasons.turn(state, value, names)
            case "lose" if state.phase == LOSING and value not in state.hand[state.seat]:
                return "it is not in your hand"
            case "start" if state.phase == STARTING and not is_in(state, value):
                return f"{names.player(value)} is out"
        return None

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the consequence of a bid, a turned disc or a lost disc."""
        verb, value = ACTIONS.verb_and_value[action]
        match verb:
            case "bid" if value == count_laid(state):
                return "the challenge begins, because no higher bid is possible"
            case "bid" if any(IS_SKULL[state.face[token]] for token in state.mat[state.seat]):
                return "your own skull would end your challenge"
            case "turn":
                left = state.bid - len(state.turned) - 1
                return f"after a rose you need {left} more" if left else "a rose wins the challenge"
            case "lose":
                return f"you keep {amount(len(state.hand[state.seat]) - 1, 'disc')}"
        return ""

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the challenges won, and the victory of the last player left."""
        others = [seat for seat in range(state.seats) if not is_in(state, seat)]
        label = "last with discs" if len(others) == state.seats - 1 else "challenges won"
        return [BreakdownSection("", [BreakdownRow(label, state.wins)])]


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the mat and the hand of a seat."""
    slots = int(state.phase == LAYING and is_in(state, seat))
    mat = Area("mat", state.mat[seat], seat, place="front", room=DISCS, slots=slots)
    own = seat == viewer
    look: Literal["hand", "row"] = "hand" if own else "row"
    return [mat, Area("hand", state.hand[seat], seat, look, room=DISCS, counted=own)]


def line_of(state: Table, seat: int) -> SeatLine:
    """Return the challenges won, and the bid or the pass of a seat."""
    badges = [] if is_in(state, seat) else ["out"]
    if state.bid and seat == state.challenger:
        badges.append(f"bids {state.bid}")
    elif state.passed[seat]:
        badges.append("passed")
    return SeatLine(f"won {state.wins[seat]} of {WINS}", badges)


def status(state: Table) -> str:
    """Return the number of discs on the mats, which bids the challenge is about."""
    turned = f" · {len(state.turned)} of {state.bid} turned up" if state.turned else ""
    laid = count_laid(state)
    return f"{amount(laid, 'disc')} laid{turned}"


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase == LAYING:
        return "lay a disc, or bid a number of roses" if have_all_laid(state) else "lay a disc"
    if state.phase == BIDDING:
        return f"bid more than {state.bid}, or pass"
    return PROMPTS.get(state.phase, "take a disc")


def action_texts(before: Table, action: int, names: Names) -> list[str]:
    """Return the action itself as a sentence."""
    verb, value = ACTIONS.verb_and_value[action]
    if verb == "collect":
        return ["All discs return to their owners"]
    if verb in ("lose", "take"):
        return [f"{names.player(before.challenger)} loses {_disc(value, names)}"]
    player = names.player(before.seat)
    match verb:
        case "lay":
            return [f"{player} lays {_disc(value, names)}"]
        case "bid":
            return [f"{player} bids {value}"]
        case "start":
            return [f"{player} lets {names.player(value)} begin"]
    return [f"{player} passes"] if verb == "pass" else []


def _disc(token: int, names: Names) -> str:
    """Return a disc for a sentence: `a red skull`, or `a red disc` if only its back is seen."""
    return f"a {names.phrase(token).removeprefix('a ')}"


def turned_up(before: Table, after: Table, names: Names) -> list[str]:
    """Return the discs turned up by an action in one sentence, if there are any."""
    fresh = [_disc(token, names) for token in after.turned[len(before.turned) :]]
    return [f"{names.player(after.challenger)} turns up {listed(fresh)}"] if fresh else []


def is_decided(before: Table, after: Table) -> bool:
    """Return whether a challenge ended with this action."""
    return len(after.turned) > len(before.turned) and after.phase == COLLECTING


def title(after: Table, player: str) -> str:
    """Return the outcome of a challenge with its bid."""
    if after.skull_of == NO_SEAT:
        number = after.wins[after.challenger]
        return f"{player} wins the challenge ({number} of {WINS}) with a bid of {after.bid}"
    return f"{player} fails with a bid of {after.bid} and loses a disc"
