"""The battle phase: one colour after another is fought out."""

from cardhub import OVER, clockwise, first_seat, left_of
from cardhub_gargon.laying import begin_laying
from cardhub_gargon.table import DRAWING, FIGHT, FIGHTING, STACKS, TAKE, VALUE, Table


def begin_battles(state: Table) -> None:
    """Turn up all laid cards and let the first player who laid any pick a colour."""
    for laid in state.laid:
        state.reveal(laid)
    next_fight(state)


def next_fight(state: Table) -> None:
    """Let the next player with laid cards pick a colour; without any left the round is over."""
    seat = first_seat(state.leader, state.seats, state.laid.__getitem__)
    if seat is None:
        begin_round(state, left_of(state.leader, state.seats))
        return
    state.seat, state.phase = seat, FIGHTING


def begin_round(state: Table, seat: int) -> None:
    """Start a round, or end the game: a stack is empty or nobody has a card (gargon R1, R7)."""
    leader = first_seat(seat, state.seats, state.hand.__getitem__)
    if leader is None or not all(state.stacks):
        state.seat = OVER
        return
    begin_laying(state, leader)


def legal_fights(state: Table) -> list[int]:
    """Return one fight for each colour the seat has laid."""
    return [FIGHT + colour for colour in sorted({state.back[t] for t in state.laid[state.seat]})]


def legal_draws(state: Table) -> list[int]:
    """Return the stacks that a loser can draw from (gargon R7)."""
    return [TAKE + stack for stack in range(len(STACKS)) if state.stacks[stack]]


def fight(state: Table) -> None:
    """Fight out the colour until its cards are gone or a loser must draw first."""
    fighters = _fighters(state)
    if len(fighters) > 1:
        _battle(state, fighters)
        next_drawer(state)
        return
    for seat, cards in fighters:  # alone: cases A and C
        for token in cards:
            state.move(token, state.laid[seat], state.won, seat)
    next_fight(state)


def next_drawer(state: Table) -> None:
    """Have the next loser draw; with none left, or nothing to draw, fight on (gargon R6)."""
    if state.drawers and any(state.stacks):
        state.seat, state.phase = state.drawers[0], DRAWING
        return
    state.drawers.clear()
    fight(state)


def draw(state: Table, stack: int) -> None:
    """Draw the card a loser must."""
    state.put(state.stacks[stack].pop(), state.hand, state.drawers.pop(0))
    next_drawer(state)


def _fighters(state: Table) -> list[tuple[int, list[int]]]:
    """Return who has cards of the colour, clockwise from the leader, with those cards."""
    found = []
    colour, back = state.colour, state.back
    for seat in clockwise(state.leader, state.seats):
        laid = state.laid[seat]
        if laid:
            cards = [token for token in laid if back[token] == colour]
            if cards:
                found.append((seat, cards))
    return found


def _battle(state: Table, fighters: list[tuple[int, list[int]]]) -> None:
    """Pit the strongest cards against each other; the losers are to draw."""
    face = state.face
    best = [(max((VALUE[face[t]], t) for t in cards), seat) for seat, cards in fighters]
    top = max(value for (value, _), _ in best)
    state.drawers = []
    for (value, token), seat in best:
        if value == top > 0:  # the values above 0 are unique in a colour
            state.move(token, state.laid[seat], state.won, seat)
            continue
        state.move(token, state.laid[seat], state.discard)
        if top > 0 or state.settings.flag("zero_tie_draw"):  # two zeros: gargon R5
            state.drawers.append(seat)
