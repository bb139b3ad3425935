"""A sensible opponent: weighs calls against what is left to be called, and bluffs now and then."""

from random import Random

from cardhub import Observation
from cardhub_gamon.rules_of_cards import NEVER_CALLED
from cardhub_gamon.strategy.inference import Guesses
from cardhub_gamon.table import (
    BASE,
    BELIEVE,
    CALL,
    CALLING,
    CHOOSING,
    DOUBTING,
    GAMON,
    MOVE,
    PLACE,
    PLACING,
    REMOVE,
    Table,
)
from cardhub_gamon.turns import worth

MOOD = 0.1
"""How far chance may move one action past another, so that nobody can read the bot's mind."""
SPENT = 0.03
"""What a card placed would have been worth later, per point of its base value."""
WEAK, STRONG = 0.35, 0.65
"""Chances to win a turn with which the prize stays at one coin, or is raised to the full."""


class RuleOfThumb:
    """Plays Gamon by rule of thumb."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the most promising legal action."""
        legal, guesses = observation.legal(), Guesses(observation)
        phase = observation.state.phase
        if phase == PLACING:
            return self._place(guesses, legal)
        if phase == CALLING:
            return self._call(guesses, legal)
        if phase == DOUBTING:
            return self._doubt(guesses)
        if phase == CHOOSING:
            return choose_amount(guesses.state, guesses.seat, legal)
        return self._set_prize(guesses, legal)

    def _set_prize(self, guesses: Guesses, legal: list[int]) -> int:
        """Raise the prize as far as the three best cards are likely to win it."""
        cards = sorted((_best(guesses, token)[0] for token in _hand(guesses)), reverse=True)[:3]
        chance = sum(cards) / len(cards) + self._mood()
        raised = (chance - WEAK) / (STRONG - WEAK) * len(legal)
        return legal[max(0, min(len(legal) - 1, int(raised)))]

    def _place(self, guesses: Guesses, legal: list[int]) -> int:
        face = guesses.state.face

        def promise(action: int) -> float:
            token = action - PLACE
            return _best(guesses, token)[0] - SPENT * BASE[face[token]] + self._mood()

        return max(legal, key=promise)

    def _call(self, guesses: Guesses, legal: list[int]) -> int:
        """Call what promises most; in the mood for a bluff that may be a lie."""
        face = guesses.state.face[guesses.state.placed[guesses.seat][0]]
        return max(legal, key=lambda a: _promise(guesses, face, a - CALL + 1) + 2 * self._mood())

    def _doubt(self, guesses: Guesses) -> int:
        """Cry Gamon if a lie is likelier than winning by belief."""
        state, seat = guesses.state, guesses.seat
        face = state.face[state.placed[seat][0]]
        believing = _believing(guesses, face, state.called[seat])
        return GAMON if guesses.lie + self._mood() > believing else BELIEVE

    def _mood(self) -> float:
        return MOOD * (self._rng.random() - 0.5)


def choose_amount(state: Table, seat: int, legal: list[int]) -> int:
    """Return the most coins or none, by who is likely to take the prize."""
    ahead = state.won[seat] - state.won[1 - seat]
    if state.choice == REMOVE:
        return legal[-1] if ahead < 0 else legal[0]
    if state.choice == MOVE:
        return legal[-1] if ahead >= 0 else legal[0]
    return legal[-1] if max(state.won) < 2 and ahead >= 0 else legal[0]


def _hand(guesses: Guesses) -> list[int]:
    return guesses.state.hand[guesses.seat]


def _best(guesses: Guesses, token: int) -> tuple[float, int]:
    """Return the best promise of a card in hand, and the call that makes it."""
    face = guesses.state.face[token]
    calls = (n for n in range(1, 7) if not NEVER_CALLED[n] >> face & 1)
    return max((_promise(guesses, face, call), call) for call in calls)


def _promise(guesses: Guesses, face: int, call: int) -> float:
    """Return how likely a turn is won by placing a card and calling this."""
    state, seat = guesses.state, guesses.seat
    if seat != state.attacker:
        return max(guesses.lie, _believing(guesses, face, call))
    doubt, wins = guesses.doubted(call), _wins(guesses, face, call)
    catches = (1 - wins) * (1 - guesses.honesty) / 2
    return doubt * (BASE[face] == call) + (1 - doubt) * (wins + catches)


def _believing(guesses: Guesses, face: int, call: int) -> float:
    """Return how likely a turn is won without crying Gamon."""
    state, seat = guesses.state, guesses.seat
    doubt = guesses.doubted(call) if seat != state.attacker else 0.0
    return doubt * (BASE[face] == call) + (1 - doubt) * _wins(guesses, face, call)


def _wins(guesses: Guesses, face: int, call: int) -> float:
    """Return how likely a card of the seat wins by its value; the defender wins ties."""
    state, seat = guesses.state, guesses.seat
    state.called[seat] = call
    return guesses.beats(worth(state, seat, face) + (seat != state.attacker))
