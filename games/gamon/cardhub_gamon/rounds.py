"""A round: draw, set the prize, play up to three turns, pay the prize (gamon N2, N18)."""

from cardhub import OVER
from cardhub_gamon.placing import is_stuck
from cardhub_gamon.table import HAND, PLACING, PRICING, PRIZE, Table

HIGHEST_PRIZE = 4
TURNS_TO_WIN = 2
FEWEST_CARDS = 2
STUCK = "{player} holds no card that may be placed, so {other} wins the turn"


def begin_round(state: Table) -> None:
    """Draw cards and put a coin into the prize, or end the game (gamon N2, N3, N4)."""
    reset_round(state)
    # Before drawing (gamon N3): a pile that runs dry in a round does not stop that round.
    if not state.pile:
        state.log("The pile is empty, so the game ends")
        state.seat = OVER
        return
    for seat in (state.attacker, 1 - state.attacker):
        _draw(state, seat)
    for seat in (state.attacker, 1 - state.attacker):
        if len(state.hand[seat]) < FEWEST_CARDS:
            state.log("{player} has fewer than two cards left, so the game ends", seat)
            state.seat = OVER
            return
    # Only now does a coin move (gamon N4).
    state.pile -= 1
    state.prize = 1
    state.round += 1
    state.seat, state.phase = state.attacker, PRICING
    state.log("Round {number}: {player} attacks", state.attacker, number=state.round)


def reset_round(state: Table) -> None:
    """Reset the fields of the state that count within a round."""
    state.won, state.lost, state.cried, state.caught = [0, 0], [0, 0], [0, 0], [0, 0]
    state.bonus, state.calls = [0, 0], []
    state.outcomes = ()


def legal_prizes(state: Table) -> list[int]:
    """Return an action for each prize that the pile allows (gamon N2)."""
    return [PRIZE + coins - 1 for coins in range(1, min(HIGHEST_PRIZE, 1 + state.pile) + 1)]


def set_prize(state: Table, coins: int) -> None:
    """Raise the prize and begin the first turn."""
    state.pile -= coins - state.prize
    state.prize = coins
    begin_turn(state)


def begin_turn(state: Table) -> None:
    """Ask the attacker for a card, or end the round (gamon N5, N15, N18)."""
    attacker = state.attacker
    while max(state.won) < TURNS_TO_WIN:
        if not all(state.hand):  # before a third turn only (gamon N5)
            state.log("{player} has no card left for a third turn", state.hand.index([]))
            end_round(state, 1 - attacker)
            return
        # Checked for both seats at the start of each turn; a lost turn may be followed by another.
        stuck = [seat for seat in (attacker, 1 - attacker) if is_stuck(state, seat)]
        if not stuck:
            state.seat, state.phase = attacker, PLACING
            return
        winner = 1 - stuck[0]  # the defender if both are stuck (gamon N15)
        state.won[winner] += 1
        state.log(STUCK, stuck[0], other=winner)
    end_round(state, state.won.index(TURNS_TO_WIN))


def end_round(state: Table, winner: int) -> None:
    """Pay the prize, discard the played cards and pass the attack to the other side."""
    state.log("{player} wins the round and a prize of {coins:coin}", winner, coins=state.prize)
    state.purse[winner] += state.prize
    state.rounds += ((winner, state.prize, *state.purse, *state.won),)
    state.prize = 0
    for seat in range(state.seats):
        state.put_all(state.played[seat], state.discard, seat)
        state.played[seat].clear()
    state.attacker = 1 - state.attacker
    begin_round(state)


def _draw(state: Table, seat: int) -> None:
    deck, wanted = state.deck[seat], HAND - len(state.hand[seat])
    if wanted > 0 and deck:
        drawn = deck[-wanted:][::-1]
        del deck[-wanted:]
        state.put_all(drawn, state.hand, seat)
