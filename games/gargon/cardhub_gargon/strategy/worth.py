"""What cards are worth to a seat, by rule of thumb, from what that seat knows."""

from collections.abc import Sequence

from cardhub_gargon.table import AMULETS, COLOURS, VALUE, Table

MAJORITY = 1.6
"""What a won card adds to the bonus for most cards of its colour, on average."""
DRAWN = 1.5
"""What a card drawn is worth while the game goes on."""
SPENT = 0.12
"""What a card laid would have been worth later, per point of its value."""


class Chances:
    """How colours stand for one seat: who may contest them, and with what."""

    def __init__(self, state: Table, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._unseen = [self._unseen_values(colour) for colour in range(len(COLOURS))]
        self._rivals = [self._expected_rivals(colour) for colour in range(len(COLOURS))]
        self._held = [self._won_amulets(colour) for colour in range(len(COLOURS))]

    def of_set(self, tokens: Sequence[int]) -> float:
        """Return what laying these cards of the seat's own promises."""
        total = 0.0
        by_colour: dict[int, list[int]] = {}
        for token in tokens:
            by_colour.setdefault(self._state.back[token], []).append(token)
            total -= SPENT * VALUE[self._state.face[token]]
        return total + sum(self._of_colour(colour, cards) for colour, cards in by_colour.items())

    def worth(self, token: int) -> float:
        """Return what winning a card is worth: its amulets, the majority, what a zero doubles."""
        face, colour = self._state.face[token], self._state.back[token]
        points, zeros = self._held[colour]
        if VALUE[face] == 0:
            return MAJORITY + 2 + points * (1 << zeros)
        return MAJORITY + AMULETS[face] * (1 << zeros)

    def wants(self, colour: int) -> float:
        """Return how much a card of this colour is wanted: where much is won, more is to be won."""
        points, zeros = self._held[colour]
        return points * 0.1 + zeros

    def _of_colour(self, colour: int, cards: list[int]) -> float:
        face = self._state.face
        cards = sorted(cards, key=lambda token: VALUE[face[token]], reverse=True)
        alone = max(0.0, 1 - self._rivals[colour])
        beats = self._beats(colour, VALUE[face[cards[0]]])
        first = beats * self.worth(cards[0]) + (1 - beats) * DRAWN
        rest = sum(map(self.worth, cards[1:])) * (0.75 if beats > 0.5 else 0.5)
        return alone * sum(map(self.worth, cards)) + (1 - alone) * (first + rest)

    def _beats(self, colour: int, value: int) -> float:
        """Return how likely a card is the strongest among those of about one rival or more."""
        unseen = self._unseen[colour]
        if not unseen or value == 0:
            return 0.0 if value == 0 else 1.0
        lower = sum(other < value for other in unseen) / len(unseen)
        return float(lower ** max(1.0, self._rivals[colour]))

    def _unseen_values(self, colour: int) -> list[int]:
        """Return the values of this colour that the seat has not seen anywhere."""
        state, bit = self._state, 1 << self._seat
        values = [0, *range(16)]
        for token, back in enumerate(state.back):
            if back == colour and state.seen[token] & bit:
                values.remove(VALUE[state.face[token]])
        return values

    def _expected_rivals(self, colour: int) -> float:
        """Return how many others have laid this colour, or may still."""
        state, rivals = self._state, 0.0
        for seat in range(state.seats):
            if seat == self._seat:
                continue
            if state.laid[seat]:
                rivals += any(state.back[token] == colour for token in state.laid[seat])
            elif (seat - state.leader) % state.seats > (self._seat - state.leader) % state.seats:
                held = sum(state.back[token] == colour for token in state.hand[seat])
                rivals += min(0.6, 2 * held / (len(state.hand[seat]) + 1))
        return rivals

    def _won_amulets(self, colour: int) -> tuple[int, int]:
        """Return the amulets and the zeros the seat has won in this colour."""
        state = self._state
        faces = [state.face[t] for t in state.won[self._seat] if state.back[t] == colour]
        return sum(AMULETS[face] for face in faces), sum(VALUE[face] == 0 for face in faces)
