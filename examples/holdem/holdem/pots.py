"""The main pot and the side pots, and who wins them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdem.hands import Strength


class Pot(NamedTuple):
    """A pot and the seats that can win it."""

    chips: int
    seats: tuple[int, ...]


def side_pots(staked: Sequence[int], is_in: Sequence[bool]) -> list[Pot]:
    """Return the main pot, then the side pots.

    A seat can win from each other seat at most what it has staked itself. Chips that nobody has
    called are a pot of their owner.
    """
    pots: list[Pot] = []
    below = 0
    for level in sorted({chips for chips, plays in zip(staked, is_in, strict=True) if plays}):
        chips = sum(min(own, level) - min(own, below) for own in staked)
        seats = tuple(s for s, own in enumerate(staked) if is_in[s] and own >= level)
        pots.append(Pot(chips, seats))
        below = level
    # What a folded seat has staked beyond all others belongs to the last pot.
    rest = sum(max(own - below, 0) for own in staked)
    pots[-1] = pots[-1]._replace(chips=pots[-1].chips + rest)
    return pots


def winnings(
    pots: Sequence[Pot], strengths: Mapping[int, Strength], button: int, seats: int
) -> list[int]:
    """Return the chips that each seat wins; odd chips go to the first winners after the button."""
    won = [0] * seats
    for chips, contenders in pots:
        best = max(strengths[seat] for seat in contenders)
        winners = [seat for seat in contenders if strengths[seat] == best]
        winners.sort(key=lambda seat: (seat - button - 1) % seats)
        share, odd = divmod(chips, len(winners))
        for place, seat in enumerate(winners):
            won[seat] += share + (place < odd)
    return won
