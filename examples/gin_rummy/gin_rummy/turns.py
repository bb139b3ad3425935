"""Turns up to a knock: drawing, discarding, and the next deal."""

from cardhub import CHANCE, OVER
from gin_rummy.melds import deadwood_without
from gin_rummy.table import DISCARD, DRAW, KNOCK, PASS, TAKE, Phase, Table, held

HAND = 10
LEAST_STOCK = 2  # the next player may only knock
MOST_TAKEN = 50  # upcards taken in a deal; the last one makes it void
MOST_VOID = 2  # void deals in succession that end the game


def deal_hands(state: Table) -> None:
    """Apply the action of chance: deal both hands and turn up a card."""
    state.first = state.number % 2
    state.put_all([state.stock.pop() for _ in range(HAND)], state.hand, state.first)
    state.put_all([state.stock.pop() for _ in range(HAND)], state.hand, 1 - state.first)
    state.put(state.stock.pop(), state.discards)
    state.passes = state.takings = 0
    state.taken = state.knocker = -1
    state.seat, state.phase = state.first, Phase.UPCARD


def legal_turn(state: Table) -> list[int]:
    """Return the legal actions before a knock."""
    if state.phase == Phase.DRAW:
        return [DRAW, TAKE]
    if state.phase == Phase.DISCARD:
        # An upcard that was just taken stays.
        discards = [DISCARD + card for card in state.hand[state.seat] if card != state.taken]
        return [KNOCK, *discards] if knocking(state) else discards
    if state.phase == Phase.LAST:
        return [KNOCK, PASS] if knocking(state) else [PASS]
    # The first upcard; after two passes, the first player has to draw.
    return [DRAW] if state.passes == 2 else [TAKE, PASS]


def knocking(state: Table) -> list[int]:
    """Return the tokens that the seat to act can discard to knock."""
    limit = state.settings.number("limit")
    return [token for token, left in left_after_discards(state).items() if left <= limit]


def left_after_discards(state: Table) -> dict[int, int]:
    """Return by token, for all cards that can be discarded with a knock, the deadwood left."""
    cards, kept, face = held(state, state.seat), state.taken, state.face
    if state.phase == Phase.LAST:
        # The upcard has to be taken for this knock, and kept like any upcard that is taken.
        kept = state.discards[-1]
        cards |= 1 << face[kept]
    left = deadwood_without(cards)
    return {token: left[face[token]] for token in state.hand[state.seat] if token != kept}


def draw(state: Table) -> None:
    """Draw a card from the stock."""
    state.put(state.stock.pop(), state.hand, state.seat)
    state.phase = Phase.DISCARD


def take(state: Table) -> None:
    """Take the upcard; too many of them make the deal void."""
    # The first upcard does not count: it is offered once.
    state.takings += state.phase == Phase.DRAW
    if state.takings == MOST_TAKEN:
        end_deal(state)
        return
    _take_upcard(state)
    state.phase = Phase.DISCARD


def decline(state: Table) -> None:
    """Pass on the first upcard, or on a knock with the last discard, which ends the deal."""
    if state.phase == Phase.LAST:
        end_deal(state)
        return
    state.passes += 1
    state.seat = 1 - state.seat


def discard(state: Table, token: int) -> None:
    """Discard a card: then it is the other player's turn, or after a knock time for melds."""
    state.move(token, state.hand[state.seat], state.discards)
    if state.knocker >= 0:
        state.phase = Phase.MELDS
        return
    state.seat, state.taken = 1 - state.seat, -1
    state.phase = Phase.LAST if len(state.stock) == LEAST_STOCK else Phase.DRAW


def knock(state: Table) -> None:
    """Knock: lay down the whole hand, of which a card is still to be discarded."""
    if state.phase == Phase.LAST:
        _take_upcard(state)
    state.reveal(state.hand[state.seat])
    state.knocker, state.phase = state.seat, Phase.KNOCK


def end_deal(state: Table, gained: int = 0) -> None:
    """End a deal, with points for seat 0 or, if they are negative, for seat 1."""
    state.points[gained < 0] += abs(gained)
    state.voids = 0 if gained else state.voids + 1
    state.number += 1
    is_last = max(state.points) >= state.settings.number("target") or state.voids == MOST_VOID
    if is_last or state.settings.flag("single"):
        state.seat = OVER
        return
    state.gather(state.stock)
    state.seat, state.phase = CHANCE, Phase.DEAL


def _take_upcard(state: Table) -> None:
    state.taken = state.discards[-1]
    state.move(state.taken, state.discards, state.hand, state.seat)
