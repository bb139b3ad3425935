"""A bot that rates actions by the probability of winning the turn, with noise for bluffs."""

from math import fsum
from random import Random

from cardhub import Observation
from cardhub_gamon.rules_of_cards import NEVER_CALLED
from cardhub_gamon.strategy.inference import Inference
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
from cardhub_gamon.turns import value_of

# The range of the noise in values of actions; without noise the bot would be predictable.
NOISE = 0.1
# The probability of winning that a placed card would have added later, per point of its base.
SPENT = 0.03
# The probabilities of winning a turn at which the prize stays at one coin, or is raised fully.
WEAK, STRONG = 0.35, 0.65


class RuleOfThumb:
    """A rule-based bot without search: it rates each legal action in the observed state."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the action of the highest value."""
        legal, inference = observation.legal(), Inference(observation)
        phase = observation.state.phase
        if phase == PLACING:
            return self._place(inference, legal)
        if phase == CALLING:
            return self._call(inference, legal)
        if phase == DOUBTING:
            return self._doubt(inference)
        if phase == CHOOSING:
            return choose_amount(inference.state, inference.seat, legal)
        return self._set_prize(inference, legal)

    def _set_prize(self, inference: Inference, legal: list[int]) -> int:
        """Raise the prize by the mean probability that the three best cards win."""
        hand = inference.state.hand[inference.seat]
        best = sorted((_best_call(inference, token) for token in hand), reverse=True)[:3]
        chance = fsum(best) / len(best) + self._noise()
        raised = (chance - WEAK) / (STRONG - WEAK) * len(legal)
        return legal[max(0, min(len(legal) - 1, int(raised)))]

    def _place(self, inference: Inference, legal: list[int]) -> int:
        face = inference.state.face

        def value(action: int) -> float:
            token = action - PLACE
            return _best_call(inference, token) - SPENT * BASE[face[token]] + self._noise()

        return max(legal, key=value)

    def _call(self, inference: Inference, legal: list[int]) -> int:
        face = inference.state.face[inference.state.placed[inference.seat][0]]
        # With more noise than elsewhere, which makes some calls bluffs.
        return max(legal, key=lambda a: _winning(inference, face, a - CALL + 1) + 2 * self._noise())

    def _doubt(self, inference: Inference) -> int:
        state, seat = inference.state, inference.seat
        face = state.face[state.placed[seat][0]]
        believing = _winning_by_belief(inference, face, state.called[seat])
        return GAMON if inference.lie + self._noise() > believing else BELIEVE

    def _noise(self) -> float:
        return NOISE * (self._rng.random() - 0.5)


def choose_amount(state: Table, seat: int, legal: list[int]) -> int:
    """Return the action for the highest amount or for none, by the likely winner of the prize."""
    ahead = state.won[seat] - state.won[1 - seat]
    if state.choice == REMOVE:
        return legal[-1] if ahead < 0 else legal[0]
    if state.choice == MOVE:
        return legal[-1] if ahead >= 0 else legal[0]
    return legal[-1] if max(state.won) < 2 and ahead >= 0 else legal[0]


def _best_call(inference: Inference, token: int) -> float:
    """Return the probability of winning the turn with a card and its best call."""
    face = inference.state.face[token]
    calls = (call for call in range(1, 7) if not NEVER_CALLED[call] >> face & 1)
    return max(_winning(inference, face, call) for call in calls)


def _winning(inference: Inference, face: int, call: int) -> float:
    """Return the probability of winning the turn with a card and a call."""
    state, seat = inference.state, inference.seat
    if seat != state.attacker:
        return max(inference.lie, _winning_by_belief(inference, face, call))
    doubt, wins = inference.doubted(call), _winning_by_value(inference, face, call)
    # After the defender's belief the attacker can still catch a lie, in half of the cases.
    catches = (1 - wins) * (1 - inference.honesty) / 2
    return doubt * (BASE[face] == call) + (1 - doubt) * (wins + catches)


def _winning_by_belief(inference: Inference, face: int, call: int) -> float:
    """Return the probability of winning the turn without crying Gamon."""
    is_attacker = inference.seat == inference.state.attacker
    # Only the defender's belief can be followed by a Gamon: the attacker's.
    doubt = 0.0 if is_attacker else inference.doubted(call)
    wins = _winning_by_value(inference, face, call)
    return doubt * (BASE[face] == call) + (1 - doubt) * wins


def _winning_by_value(inference: Inference, face: int, call: int) -> float:
    state, seat = inference.state, inference.seat
    state.called[seat] = call
    value = value_of(state, seat, face)
    # The defender wins ties.
    return inference.beats(value if seat == state.attacker else value + 1)
