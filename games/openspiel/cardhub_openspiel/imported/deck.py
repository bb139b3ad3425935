"""The deck from which an OpenSpiel game draws unseen cards."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from cardhub import PluginError
from cardhub_openspiel.imported.original import Original, odds

# Maximum difference between probabilities that count as equal.
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck from which chance draws unseen cards: `outcomes`, repeated for each copy.

    `draws`: 0 if cards are drawn without replacement; else the number of draws, each from a
    complete deck (as with dice).
    """

    outcomes: tuple[int, ...] = ()
    draws: int = 0

    @property
    def kinds(self) -> list[int]:
        """The different outcomes, in ascending order."""
        return sorted(set(self.outcomes))

    def remaining(self, drawn: tuple[int, ...]) -> list[int]:
        """Return the remaining outcomes for the next draw, repeated for each copy."""
        remaining = list(self.outcomes)
        if self.draws:
            return remaining if len(drawn) < self.draws else []
        for outcome in drawn:
            remaining.remove(outcome)
        return remaining

    def is_next(self, state: Any, drawn: tuple[int, ...]) -> bool:
        """Return whether a chance node draws from this deck."""
        remaining, chances = self.remaining(drawn), odds(state)
        copies = Counter(remaining)
        return copies.keys() == chances.keys() and all(
            abs(copies[outcome] / len(remaining) - chance) < TOLERANCE
            for outcome, chance in chances.items()
        )

    def token(self, draw: int) -> int:
        """Return the token that a draw takes."""
        return draw * len(self.outcomes) if self.draws else draw


def fill_in(deck: Deck, draws: list[int]) -> list[int]:
    """Return draws with unknown outcomes (-1) replaced by remaining cards, lowest first."""
    if deck.draws:
        return [deck.outcomes[0] if outcome < 0 else outcome for outcome in draws]
    remaining = deck.remaining(tuple(outcome for outcome in draws if outcome >= 0))
    return [remaining.pop(0) if outcome < 0 else outcome for outcome in draws]


def copies_of(original: Original, chances: dict[int, float]) -> tuple[int, ...]:
    """Return the outcomes of a draw, repeated for each copy; raises PluginError if no deck fits."""
    # The rarest outcome counts as one card.
    least = min(chances.values())
    copies = {outcome: round(chance / least) for outcome, chance in chances.items()}
    if any(abs(copies[o] * least - chance) > TOLERANCE for o, chance in chances.items()):
        raise PluginError(
            f"{original.text} cannot be played here: its probabilities match no deck of cards"
        )
    return tuple(outcome for outcome, count in copies.items() for _ in range(count))
