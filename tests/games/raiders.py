"""Raiders: a game for tests only, with actions on players and on unseen cards of their hands."""

from typing import ClassVar

from tests.games.pockets import box

from cardhub import (
    OVER,
    Actions,
    Area,
    Display,
    Game,
    Names,
    Players,
    Scene,
    Seats,
    State,
    Tokens,
    left_of,
    per_seat,
)

CARDS = box("R1", "R1", "R2", "R2", "R3", "R3", "R4", "R4", "R5", "R6", "R7", "R8")
MOST_SEATS, HAND = 4, 3
ACTIONS = Actions(Players("raid", MOST_SEATS), Tokens("take", CARDS.count))
RAID, TAKE = ACTIONS.starts
RAIDING, TAKING = range(2)


class Table(State):
    """A position: `victim` is raided now, and all cards that were taken are `booty`."""

    hand = per_seat(faces="owner")
    booty = per_seat(faces="owner")
    victim: int


class RaidersDisplay(Display[Table]):
    """Raid another player and take one of the cards, without looking."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return hands and booties; the players are pointed at by default."""
        areas = []
        for seat in range(state.seats):
            areas.append(Area("hand", state.hand[seat], seat, "hand" if seat == viewer else "row"))
            areas.append(Area("booty", state.booty[seat], seat))
        return Scene("raid a player, then take a card", areas)

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Explain who can be raided."""
        verb, seat = ACTIONS.verb_and_index[action]
        if verb != "raid" or state.phase != RAIDING or can_raid(state, seat):
            return None
        return "that is you" if seat == state.seat else f"{names.player(seat)} has no card left"


class Raiders(Game[Table]):
    """Raid another player and take one of the cards, without looking."""

    name, title, seats = "raiders", "Raiders", Seats(2, MOST_SEATS)
    cards, actions, state_type = CARDS, ACTIONS, Table
    phases: ClassVar[tuple[str, ...]] = ("raiding", "taking")
    display_type = RaidersDisplay

    def deal(self, state: Table) -> None:
        """Deal three cards each; the others stay in the box."""
        for seat in range(state.seats):
            state.put_all(range(seat * HAND, seat * HAND + HAND), state.hand, seat)

    def pack(self, settings: object, seats: int) -> list[int]:
        """Return as many cards as are dealt."""
        return CARDS.all_copies()[: seats * HAND]

    def legal(self, state: Table) -> list[int]:
        """Raid a player with cards; then take one of them."""
        if state.phase == TAKING:
            return [TAKE + token for token in state.hand[state.victim]]
        return [RAID + seat for seat in range(state.seats) if can_raid(state, seat)]

    def apply(self, state: Table, action: int) -> None:
        """Name a victim, or take a card and end the turn."""
        verb, index = ACTIONS.verb_and_index[action]
        if verb == "raid":
            state.victim, state.phase = index, TAKING
            return
        state.move(index, state.hand[state.victim], state.booty, state.seat)
        state.phase, state.seat = RAIDING, left_of(state.seat, state.seats)
        if not any(can_raid(state, seat) for seat in range(state.seats)):
            state.seat = OVER

    def scores(self, state: Table) -> list[int]:
        """Return the number of cards taken."""
        return list(map(len, state.booty))


def can_raid(state: Table, seat: int) -> bool:
    """Return whether the seat to act can raid another seat."""
    return seat != state.seat and bool(state.hand[seat])
