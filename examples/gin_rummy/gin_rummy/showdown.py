"""The end of a deal: the knocker's melds, laying off, the other player's melds, and the points."""

from cardhub import numbers
from gin_rummy.melds import MELDS, deadwood, extensions, is_run, melds_in, value
from gin_rummy.table import DISCARD, DONE, LAYOFF, MELD, MOST_MELDS, Phase, Table, bits, held
from gin_rummy.turns import end_deal, knocking

GIN = UNDERCUT = 25
# The sentence on the winner, by whether the knocker has gin, and whether the knocker wins.
END_TEXTS = {
    (True, True): "{player} wins the deal with gin",
    (False, True): "{player} wins the deal with less deadwood",
    (False, False): "{player} wins the deal by an undercut",
}
# Number of an action `meld`, by the cards of the meld as bits.
NUMBER = {meld: number for number, meld in enumerate(MELDS)}


def legal_showdown(state: Table) -> list[int]:
    """Return the legal actions after a knock."""
    if state.phase == Phase.KNOCK:
        return [DISCARD + token for token in knocking(state)]
    if state.phase == Phase.LAYOFFS:
        hand = state.hand[state.seat]
        return [*(LAYOFF + token for token in hand if pile_for(state, token) >= 0), DONE]
    cards = held(state, state.seat)
    # The other player may keep any deadwood.
    limit = state.settings.number("limit") if state.phase == Phase.MELDS else value(cards)
    melds = [NUMBER[meld] for meld in melds_in(cards) if deadwood(cards ^ meld) <= limit]
    done = [DONE] if value(cards) <= limit else []
    return [MELD + number for number in sorted(melds)] + done


def pile_for(state: Table, token: int) -> int:
    """Return the meld of the knocker that a card fits, rather a run, which grows on; or -1."""
    card, fitting = 1 << state.face[token], {}
    for number, pile in enumerate(state.melds[:MOST_MELDS]):
        meld = bits(state, pile)
        if pile and card & extensions(meld):
            fitting[is_run(meld)] = number
    return fitting.get(True, fitting.get(False, -1))


def lay_meld(state: Table, number: int) -> None:
    """Lay a meld from the hand."""
    seat, face = state.seat, state.face
    hand, first = state.hand[seat], MOST_MELDS * (seat != state.knocker)
    pile = next(pile for pile in range(first, first + MOST_MELDS) if not state.melds[pile])
    # There is one card of each face.
    by_face = {face[token]: token for token in hand}
    for card in numbers(MELDS[number]):
        state.move(by_face[card], hand, state.melds, pile)


def lay_off(state: Table, token: int) -> None:
    """Lay a card off on a meld of the knocker."""
    state.move(token, state.hand[state.seat], state.melds, pile_for(state, token))


def finish(state: Table) -> None:
    """End melding or laying off: the other player is next, or the deal is over."""
    if state.phase == Phase.MELDS:
        state.seat = 1 - state.knocker
        # Both hands are laid down before cards are laid off.
        state.reveal(state.hand[state.seat])
        # No cards are laid off against gin.
        state.phase = Phase.LAYOFFS if state.hand[state.knocker] else Phase.DEFENCE
    elif state.phase == Phase.LAYOFFS:
        state.phase = Phase.DEFENCE
    else:
        own, other = value(held(state, state.knocker)), value(held(state, state.seat))
        gained = knocker_gains(own, other)
        winner = state.knocker if gained > 0 else state.seat
        state.pause(END_TEXTS[own == 0, gained > 0], (), winner)
        end_deal(state, gained if state.knocker == 0 else -gained)


def knocker_gains(own: int, other: int) -> int:
    """Return the points that the knocker wins, by the deadwood of both; negative: undercut."""
    if own == 0:
        return other + GIN
    return other - own if other > own else other - own - UNDERCUT
