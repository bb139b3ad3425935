"""Consequences of legal actions, computed from the observation of the seat to act."""

from cardhub import amount
from cardhub_gamon.rounds import TURNS_TO_WIN
from cardhub_gamon.rules_of_cards import VALUE, number_called, three_if_false
from cardhub_gamon.table import BASE, CARDS, Table
from cardhub_gamon.turns import value_of


def coins(number: int) -> str:
    """Return a number of coins with its noun."""
    return amount(number, "coin") if number else "no coins"


def prize(state: Table, coins_set: int) -> str:
    """Return the prize of the round, and the coins that stay in the pile."""
    left = state.pile + state.prize - coins_set
    return f"The round is for {coins(coins_set)}; the pile still holds {coins(left)}."


def place(state: Table, token: int) -> str:
    """Return the value of a card, as far as it is known before the call."""
    seat, face = state.seat, state.face[token]
    base = BASE[face]
    if VALUE[face] is number_called:
        return "It is worth the number that you call, and any call is a lie."
    # The bonus of the next card is carried over only when it is placed.
    worth = base + VALUE[face](_calling(state, base), seat, face) + state.bonus[seat]
    if VALUE[face] is three_if_false:
        if worth == base:
            return f"Its base value is {base}, and a lie makes it worth more."
        return f"Its base value is {base}. It is worth {worth} now, and more with a lie."
    if worth == base:
        return f"Its base value is {base}."
    return f"Its base value is {base}. It is worth {worth} now."


def call(state: Table, number: int, other: str) -> str:
    """Return the result of a doubt, and the value of the card if the call is believed."""
    face = state.face[state.placed[state.seat][0]]
    worth = value_of(_calling(state, number), state.seat, face)
    if BASE[face] == number:
        doubted = f"That is the truth: if {other} cries Gamon, you win the turn."
    else:
        doubted = f"That is a lie: if {other} cries Gamon, you lose the turn."
    return f"{doubted} If {other} believes it, your card is worth {worth}."


def _calling(state: Table, number: int) -> Table:
    """Return the state as it would be with a call of the seat to act."""
    after = state.clone()
    after.called[state.seat] = number
    return after


def gamon(state: Table, other: str) -> str:
    """Return the condition that decides a cry of Gamon, and the number of cards against it."""
    called = state.called[1 - state.seat]
    unseen = faces_of_placed(state, 1 - state.seat)
    true = sum(count for face, count in unseen.items() if BASE[face] == called)
    return f"{_odds(called, true, sum(unseen.values()))} {_stakes(state, other)}"


def _odds(called: int, true: int, total: int) -> str:
    """Return when a cry of Gamon is right, with `true` of `total` unseen cards called truly."""
    if not true:
        return f"None of the {total} cards that may lie there has the base value {called}."
    if true == total:
        return f"All of the {total} cards that may lie there have the base value {called}."
    if true == 1:
        return f"Only one of the {total} cards that may lie there has the base value {called}."
    return f"Of the {total} cards that may lie there, {true} have the base value {called}."


def _stakes(state: Table, other: str) -> str:
    prize = coins(state.prize)
    own, others = (state.won[s] + 1 == TURNS_TO_WIN for s in (state.seat, 1 - state.seat))
    lie = f"you win the round and {prize}" if own else "you win the turn"
    truth = f"{other} wins the round and {prize}" if others else f"{other} wins the turn"
    return f"If the call is a lie, {lie}; if it is true, {truth}."


def believe(state: Table, other: str) -> str:
    """Return the value of the own card, and who wins the turn."""
    seat = state.seat
    face = state.face[state.placed[seat][0]]
    worth = f"Your card is worth {value_of(state, seat, face)}"
    if seat == state.attacker:
        return f"{worth}. The higher value wins the turn, and {other} wins a tie."
    return f"{worth}, but {other} may still doubt your call of {state.called[seat]}."


def choice(state: Table, verb: str, number: int, other: str) -> str:
    """Return the coins after an effect that moves, removes or pays some of them."""
    if verb == "remove":
        left = state.prize - number
        return f"Then the prize is {coins(left)}." if left else "Then the prize is empty."
    prize = coins(state.prize + number)
    if verb == "move":
        purse = coins(state.purse[1 - state.seat] - number)
        return f"Then the prize is {prize}, and {other}'s purse holds {purse}."
    purse = coins(state.purse[state.seat] - number)
    if number:
        return (
            f"Then the prize is {prize}, your purse holds {purse}, and your next card this round "
            "counts 2 more."
        )
    return f"The prize stays at {prize}, and your purse holds {purse}."


def faces_of_placed(state: Table, seat: int) -> dict[int, int]:
    """Return the faces that the face-down card of a seat can have, with the copies not seen."""
    excluded = state.excluded[state.placed[seat][0]]
    faces = faces_not_shown(state, seat)
    return {face: count for face, count in faces.items() if not excluded >> face & 1}


def faces_not_shown(state: Table, seat: int) -> dict[int, int]:
    """Return the faces of a seat's deck that have not been shown to both, with their copies."""
    seen = [
        state.face[other]
        for other, back in enumerate(state.back)
        if back == seat and state.seen[other] == state.everybody
    ]
    counts = {
        face: card.copies - seen.count(face)
        for face, card in enumerate(CARDS.faces)
        if card.deck == seat
    }
    return {face: count for face, count in counts.items() if count}
