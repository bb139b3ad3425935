"""Bids that tell a player something about the bid of another too early, and some that do not."""

from tests.games.bids import CARDS, VALUE, Bids, Table
from typing_extensions import override

from cardhub import Actions, Choice, Display, Names, Scene, Tokens, left_of, per_seat

MIDDLE = 6
EVEN = sum(1 << face for face, value in enumerate(VALUE) if value % 2 == 0)
ODD = ~EVEN


class OpenTable(Table):
    """A position in which the others recognize the cards of a hand."""

    hand = per_seat(faces="owner")


class PassesUnmixed(Bids):
    """A player recognizes the cards that were passed on."""

    state_type = OpenTable


class PointingTable(OpenTable):
    """A position in which bids stay in the hands; `chosen` are their tokens."""

    chosen: list[int]


class PointsAtHand(PassesUnmixed):
    """A bid stays in the hand until all are turned up."""

    state_type = PointingTable

    @override
    def legal(self, state: Table) -> list[int]:
        assert isinstance(state, PointingTable)
        return [token for token in super().legal(state) if token not in state.chosen]

    @override
    def lay(self, state: Table, token: int) -> None:
        assert isinstance(state, PointingTable)
        state.chosen.append(token)

    @override
    def take_bids(self, state: Table) -> list[int]:
        assert isinstance(state, PointingTable)
        bids, state.chosen = state.chosen, []
        for seat, token in enumerate(bids):
            state.hand[seat].remove(token)
        return bids


class TakesBack(Bids):
    """The first bids go back to the hands, whose cards everybody recognizes."""

    state_type = OpenTable

    @override
    def pass_on(self, state: Table) -> None:
        for seat in range(state.seats) if state.round == 1 else ():
            state.move(state.spent[0], state.spent, state.hand, seat)


class TurnsUpInHand(Bids):
    """A card of each hand is turned up, and stays there; the hands are not passed on."""

    @override
    def pass_on(self, state: Table) -> None:
        for hand in state.hand:
            state.reveal(hand[:1])


class SaysInHand(TurnsUpInHand):
    """Everybody says of a card in hand whether its value is even."""

    @override
    def pass_on(self, state: Table) -> None:
        for hand in state.hand:
            for token in hand[:1]:
                say_parity(state, token)


class NotesBid(Bids):
    """The state says whether a bid is high."""

    @override
    def lay(self, state: Table, token: int) -> None:
        super().lay(state, token)
        state.note = int(VALUE[state.face[token]] > MIDDLE)


class TellingDisplay(Display[Table]):
    """Tells whether a bid is high."""

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        return [f"{names.player(before.seat)} bids {'high' if after.note else 'low'}"]


class TellsBid(NotesBid):
    """The log says whether a bid is high."""

    display_type = TellingDisplay


class ShowingDisplay(Display[Table]):
    """Shows whether a bid is high."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        areas = super().scene(state, viewer).areas
        return Scene("bid", areas, status="high" if state.note else "low")


class ShowsBids(NotesBid):
    """The table says whether a bid is high."""

    display_type = ShowingDisplay


class RequiresMore(NotesBid):
    """After a high bid the next bid must be high, too, if possible."""

    @override
    def legal(self, state: Table) -> list[int]:
        hand = super().legal(state)
        high = [token for token in hand if VALUE[state.face[token]] > MIDDLE]
        return high if state.note and high else hand


class LooksAtBid(Bids):
    """A bid has to be higher than the last one, if possible."""

    @override
    def legal(self, state: Table) -> list[int]:
        hand, laid = super().legal(state), state.bid[state.seat - 1]
        least = max((VALUE[state.face[token]] for token in laid), default=0)
        return [token for token in hand if VALUE[state.face[token]] > least] or hand


class NamesBid(Bids):
    """Lays a card face down by an action that names it."""

    actions = Actions(Choice("bid", CARDS))

    @override
    def legal(self, state: Table) -> list[int]:
        return [state.face[token] for token in super().legal(state)]

    @override
    def lay(self, state: Table, token: int) -> None:
        hand = state.hand[state.seat]
        super().lay(state, next(t for t in hand if state.face[t] == token))


class AsksBetween(PassesUnmixed):
    """Between two bids the next player does something else."""

    actions = Actions(Tokens("bid", CARDS.count), "wait")

    @override
    def legal(self, state: Table) -> list[int]:
        return super().legal(state) if state.note else [CARDS.count]

    @override
    def apply(self, state: Table, action: int) -> None:
        if action < CARDS.count:
            super().apply(state, action)
        state.note = 1 - state.note


class DrawsAtOnce(Bids):
    """Who has bid draws a card, so that hands are mixed within a round. This reveals no card."""

    @override
    def lay(self, state: Table, token: int) -> None:
        super().lay(state, token)
        if state.aside[state.seat]:
            state.put(state.aside[state.seat].pop(), state.hand, state.seat)


class SaysParity(Bids):
    """Who bids says whether the value is even, as the rules want it."""

    @override
    def lay(self, state: Table, token: int) -> None:
        super().lay(state, token)
        say_parity(state, token)


class ShowsBid(Bids):
    """Who bids shows the card to the player on the left, as the rules want it."""

    @override
    def lay(self, state: Table, token: int) -> None:
        super().lay(state, token)
        state.show(token, left_of(state.seat, state.seats))


def say_parity(state: Table, token: int) -> None:
    """Make public whether the value of a card is even."""
    is_even = state.answer(lambda: VALUE[state.face[token]] % 2 == 0)
    state.excluded[token] |= ODD if is_even else EVEN
