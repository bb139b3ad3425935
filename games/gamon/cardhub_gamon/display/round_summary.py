"""The summary of a round: the prize, and for each side the turns, the cards and the purse."""

from cardhub import Names, Summary
from cardhub_gamon.display.event_texts import coins
from cardhub_gamon.table import CARDS, OUT_OF_CARDS, PRIZE_TO, STUCK, WON_TURN, Table

WITHOUT_CARD = {STUCK: "no card could be placed", OUT_OF_CARDS: "no card left"}


def summarize(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the summary of the round that an action has ended, if it has."""
    prizes = [announced for announced in after.announced if announced[0] == PRIZE_TO]
    if not prizes:
        return None
    ((_, winner, prize),) = prizes
    rows = [["", "turns", "purse", "cards, with calls"]]
    for seat in range(after.seats):
        turns, purse = str(_turns_won(before, after, seat)), str(after.purse[seat])
        rows.append([names.player(seat), turns, purse, _cards(before, after, seat)])
    return Summary(f"Round {before.round}: {names.player(winner)} wins {coins(prize)}", rows)


def _turns_won(before: Table, after: Table, seat: int) -> int:
    # The action that ends a round resets its fields.
    return before.won[seat] + sum(line[:2] == (WON_TURN, seat) for line in after.announced)


def _cards(before: Table, after: Table, seat: int) -> str:
    """Return the cards that a side has played in the round, which are discarded at its end."""
    played = after.discard[seat][len(before.discard[seat]) :]
    # The attacker calls first, then both by turns.
    calls = before.calls[0::2] if seat == before.attacker else before.calls[1::2]
    called = zip(played, calls, strict=False)
    cards = [f"{CARDS.faces[after.face[t]].title} {call}" for t, call in called]
    # A turn can also be won because the other side could place no card, or had none left.
    cards += [text for kind, text in WITHOUT_CARD.items() if (kind, seat) in after.announced]
    return ", ".join(cards)
