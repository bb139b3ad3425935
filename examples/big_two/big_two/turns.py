"""Deals and turns: choosing cards, playing them, passing, and the points."""

from big_two.combinations import SIZES, key, plays
from big_two.table import CHOOSE, PASS, PLAY, STRENGTH, Table, bits
from cardhub import CHANCE, OVER, first_seat, left_of

# Points for each card left, by the least number of cards to which they apply.
COSTS = ((13, 3), (10, 2), (1, 1))


def deal_hands(state: Table) -> None:
    """Apply the action of chance: deal all cards and find the owner of the lowest, who leads."""
    size = len(state.stack) // state.seats
    for seat in range(state.seats):
        state.put_all([state.stack.pop() for _ in range(size)], state.hand, seat)
    # Hands are hidden: the referee answers for each seat, and records keep the answers.
    leader = first_seat(0, state.seats, lambda seat: state.answer(lambda: has_lowest(state, seat)))
    assert leader is not None  # all cards are dealt
    state.seat = state.lead = leader
    state.is_first = True


def lowest_face(seats: int) -> int:
    """Return the lowest card of a deal: with three players it is the three of clubs."""
    return STRENGTH.index(4 - seats)


def has_lowest(state: Table, seat: int) -> bool:
    """Return whether the lowest card of the deal is in a hand."""
    lowest, face = lowest_face(state.seats), state.face
    return any(face[token] == lowest for token in state.hand[seat])


def legal(state: Table) -> list[int]:
    """Return the cards that can be chosen to complete a play, `play` if it is, and `pass`."""
    seat, face = state.seat, state.face
    hand, chosen = state.hand[seat], bits(state, state.chosen[seat])
    possible = completing(state)
    actions = [CHOOSE + token for token in hand if possible >> STRENGTH[face[token]] & 1]
    if chosen in open_plays(state, chosen, chosen):
        actions.insert(0, PLAY)
    return actions if chosen or not state.table else [*actions, PASS]


def completing(state: Table) -> int:
    """Return the cards that the seat to act can choose to complete a play, as bits."""
    seat = state.seat
    chosen = bits(state, state.chosen[seat])
    cards = chosen | bits(state, state.hand[seat])
    if not chosen and not state.table and not state.is_first:
        return cards  # any card can be led
    union = 0
    for play in open_plays(state, cards, chosen):
        union |= play
    return union & ~chosen


def open_plays(state: Table, cards: int, chosen: int) -> list[int]:
    """Return the plays of these cards that contain the chosen ones."""
    sizes = [len(state.table)] if state.table else SIZES
    least = key(bits(state, state.table)) if state.table else 0
    if state.is_first:
        # The first play of a deal contains the lowest card.
        chosen |= 1 << STRENGTH[lowest_face(state.seats)]
    return [
        play
        for size in sizes
        for play, strength in plays(cards, size).items()
        if strength > least and play & chosen == chosen
    ]


def can_finish(state: Table) -> bool:
    """Return whether the hand of the seat to act can complete the chosen cards to a play."""
    chosen = bits(state, state.chosen[state.seat])
    cards = chosen | bits(state, state.hand[state.seat])
    if state.table and len(state.table) == cards.bit_count():
        # Quickly, where few determinizations are plausible: all cards of the hand are needed.
        return key(cards) > key(bits(state, state.table))
    return bool(open_plays(state, cards, chosen))


def choose(state: Table, token: int) -> None:
    """Choose a card; with the fourth, which means five cards, all chosen cards are turned up."""
    chosen = state.chosen[state.seat]
    state.move(token, state.hand[state.seat], state.chosen, state.seat)
    # Hidden cards can be taken back by undo. But few hidden hands would complete four of them, and
    # determinizations for other seats would take long to find.
    if len(chosen) > max(SIZES[:-1]):
        state.reveal(chosen)


def play(state: Table) -> None:
    """Play the chosen cards; an empty hand ends the deal."""
    seat = state.seat
    clear_table(state)
    state.put_all(sorted(state.chosen[seat], key=lambda t: STRENGTH[state.face[t]]), state.table)
    state.chosen[seat].clear()
    state.lead, state.is_first = seat, False
    if state.hand[seat]:
        state.seat = left_of(seat, state.seats)
    else:
        state.pause("{player} is out of cards", state.table, seat)
        end_deal(state)


def decline(state: Table) -> None:
    """Pass; after a pass of all others, the player of the last cards leads."""
    state.seat = left_of(state.seat, state.seats)
    if state.seat == state.lead:
        state.pause("All others pass, so {player} leads", state.table, state.lead)
        clear_table(state)


def clear_table(state: Table) -> None:
    """Put the cards on the table away."""
    state.put_all(state.table, state.out)
    state.table.clear()


def end_deal(state: Table) -> None:
    """Score a deal: each player pays the winner, the seat to act, for the cards left."""
    paid = [cost(len(hand)) for hand in state.hand]
    state.points = [points - own for points, own in zip(state.points, paid, strict=True)]
    state.points[state.seat] += sum(paid)
    state.number += 1
    if state.number == state.settings.number("deals"):
        state.seat = OVER
        return
    state.gather(state.stack)
    state.seat = CHANCE


def cost(cards: int) -> int:
    """Return the points to pay for a number of cards left in hand."""
    return next((cards * factor for least, factor in COSTS if cards >= least), 0)
