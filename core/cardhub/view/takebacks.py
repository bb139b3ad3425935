"""The legal actions that the seat to act could take back."""

from collections.abc import Iterable
from random import Random
from typing import Any

from cardhub.errors import CardhubError
from cardhub.hidden.observation import Observation


def revocable(observation: Observation[Any], legal: Iterable[int]) -> frozenset[int]:
    """Return the legal actions after which the same seat acts, with no face learned by any seat.

    Each is tried on one determinization of the observation of the seat to act; none is revocable
    where that fails.
    """
    try:
        # The same determinization for the same observation: a view must not change by itself.
        before = observation.determinize(Random(0))
        return frozenset(action for action in legal if _is_revocable(observation, before, action))
    except CardhubError:
        return frozenset()


def _is_revocable(observation: Observation[Any], before: Any, action: int) -> bool:
    after = before.clone()
    observation.game.apply(after, action)
    return bool(
        after.seat == before.seat
        and not after.pending_shuffles
        and after.answers == before.answers
        and not any(new & ~old for old, new in zip(before.seen, after.seen, strict=True))
    )
