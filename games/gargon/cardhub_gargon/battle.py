"""The battle phase, in the order of the rulebook.

All laid cards are turned up. Starting with the leader, players pick one of their laid colours, and
that colour is fought out in battles until none of its cards is left.
"""

from cardhub import WATCHED, clockwise, first_seat, left_of
from cardhub_gargon.laying import begin_round
from cardhub_gargon.table import DRAWING, FIGHT, FIGHTING, STACKS, TAKE, VALUE, Table

WINS = "{player} wins {cards}"
TIE = "{cards} are equal, so both are discarded"
DISCARDED = ("{cards} is discarded", "{cards} are discarded")


def begin_battles(state: Table) -> None:
    """Turn up all laid cards and ask for the first colour."""
    for seat, laid in enumerate(state.laid):
        state.reveal(laid)
        if WATCHED and laid:
            state.log("{player} shows {cards}", seat, laid)
    _ask_for_colour(state)


def legal_fights(state: Table) -> list[int]:
    """Return one action for each colour the seat has laid."""
    return [FIGHT + colour for colour in sorted({state.back[t] for t in state.laid[state.seat]})]


def fight(state: Table, colour: int) -> None:
    """Apply the action that picks a colour: fight it out."""
    state.colour = colour
    _fight_on(state)


def legal_draws(state: Table) -> list[int]:
    """Return an action for each stack from which a loser can draw (gargon R7)."""
    return [TAKE + stack for stack in range(len(STACKS)) if state.stacks[stack]]


def draw(state: Table, stack: int) -> None:
    """Apply the action that draws a card for a lost battle."""
    state.put(state.stacks[stack].pop(), state.hand, state.drawers.pop(0))
    _ask_to_draw(state)


def _ask_for_colour(state: Table) -> None:
    seat = first_seat(state.leader, state.seats, state.laid.__getitem__)
    if seat is None:  # all colours are fought out
        begin_round(state, left_of(state.leader, state.seats))
        return
    # The same seat again while it has laid cards; after that the next seat picks.
    state.seat, state.phase = seat, FIGHTING


def _fight_on(state: Table) -> None:
    fighters = _fighters(state)
    if len(fighters) > 1:
        _battle(state, fighters)
        _ask_to_draw(state)
        return
    for seat, cards in fighters.items():  # alone: cases A and C
        if WATCHED:
            state.log(WINS, seat, cards)
        for token in cards:
            state.move(token, state.laid[seat], state.won, seat)
    _ask_for_colour(state)


def _fighters(state: Table) -> dict[int, list[int]]:
    """Return the laid cards of the colour by seat, clockwise from the leader."""
    # The order decides the order in which losers draw.
    fighters = {}
    colour, back = state.colour, state.back
    for seat in clockwise(state.leader, state.seats):
        laid = state.laid[seat]
        if laid:
            cards = [token for token in laid if back[token] == colour]
            if cards:
                fighters[seat] = cards
    return fighters


def _battle(state: Table, fighters: dict[int, list[int]]) -> None:
    face = state.face
    strongest = [
        max([(VALUE[face[t]], t, seat) for t in cards]) for seat, cards in fighters.items()
    ]
    highest, _, winner = max(strongest)
    is_tie = highest == 0  # only zeros occur twice in a colour
    losers_draw = not is_tie or state.settings.flag("zero_tie_draw")  # gargon R5
    tokens = [token for _, token, _ in strongest]
    if WATCHED and is_tie:
        state.log(TIE, cards=tokens, has_pause=True)
    elif WATCHED:
        beaten = [token for value, token, _ in strongest if value < highest]
        state.pause("{player} wins the battle of {cards}", tokens, winner)
        state.log(WINS, winner, [token for token in tokens if token not in beaten])
        state.log(DISCARDED[len(beaten) > 1], cards=beaten)
    state.drawers = []
    for value, token, seat in strongest:
        if value == highest and not is_tie:
            state.move(token, state.laid[seat], state.won, seat)
            continue
        state.move(token, state.laid[seat], state.discard)
        if losers_draw:
            state.drawers.append(seat)


def _ask_to_draw(state: Table) -> None:
    if state.drawers and any(state.stacks):
        state.seat, state.phase = state.drawers[0], DRAWING
        return
    state.drawers.clear()  # with empty stacks nobody draws, now or later (gargon R6)
    _fight_on(state)
