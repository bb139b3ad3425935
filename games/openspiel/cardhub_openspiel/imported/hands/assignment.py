"""Cards assigned to draws under restrictions: a bipartite matching, repaired step by step."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random


class Assignment:
    """A card for each draw, and the draws that are allowed for each card.

    At the start all draws are allowed, and the cards have the draws in the given order. There may
    be more cards than draws; a confined card always has a draw. The restricting methods return
    whether the restriction can be met; after False the assignment is incomplete.
    """

    def __init__(self, cards: Sequence[int], draws: Sequence[int]) -> None:
        self.draws = list(draws)
        self._allowed = {card: set(draws) for card in cards}
        self._required = set[int]()
        self._card_at = dict(zip(draws, cards, strict=False))
        self._draw_of = {card: draw for draw, card in self._card_at.items()}

    def copy(self) -> "Assignment":
        """Return an independent copy."""
        clone = Assignment((), self.draws)
        clone._allowed = {card: set(draws) for card, draws in self._allowed.items()}
        clone._required = set(self._required)
        clone._card_at, clone._draw_of = dict(self._card_at), dict(self._draw_of)
        return clone

    def card_at(self, draw: int) -> int:
        """Return the card of a draw."""
        return self._card_at[draw]

    def draw_of(self, card: int) -> int | None:
        """Return the draw of a card, or None."""
        return self._draw_of.get(card)

    def is_free(self, draw: int) -> bool:
        """Return whether the card of a draw was never confined."""
        return self._card_at[draw] not in self._required

    def confine(self, card: int, draws: Iterable[int]) -> bool:
        """Allow only these draws for a card, which must have one of them."""
        self._required.add(card)
        self._allowed[card] &= set(draws)
        return self._repair([card])

    def exclude(self, cards: Iterable[int], draws: Iterable[int]) -> bool:
        """Forbid these draws for these cards."""
        restricted = list(cards)
        for card in restricted:
            self._allowed[card] -= set(draws)
        return self._repair(restricted)

    def shuffle(self, draws: Sequence[int], rng: Random) -> None:
        """Exchange the card of each draw with a random free card, if both draws are allowed."""
        free = [card for card in self._allowed if card not in self._required]
        for draw in draws:
            self._exchange(draw, rng.choice(free))

    def _exchange(self, draw: int, card: int) -> None:
        old, other = self._card_at[draw], self._draw_of.get(card)
        if draw not in self._allowed[card] or (
            other is not None and other not in self._allowed[old]
        ):
            return
        del self._draw_of[old]
        if other is not None:
            self._card_at[other], self._draw_of[old] = old, other
        self._card_at[draw], self._draw_of[card] = card, draw

    def _repair(self, restricted: Iterable[int]) -> bool:
        for card in restricted:
            draw = self._draw_of.get(card)
            if draw is not None and draw not in self._allowed[card]:
                del self._draw_of[card], self._card_at[draw]
        missing = [card for card in self._required if card not in self._draw_of]
        if not all(self._find_draw(card, set()) for card in missing):
            return False
        empty = [draw for draw in self.draws if draw not in self._card_at]
        return all(self._find_card(draw, set()) for draw in empty)

    def _find_draw(self, card: int, tried: set[int]) -> bool:
        """Give a card a draw; a confined card that had this draw gets another draw."""
        for draw in _in_order(self._allowed[card], self._card_at):
            if draw in tried:
                continue
            tried.add(draw)
            other = self._card_at.get(draw)
            if other in self._required and not self._find_draw(other, tried):
                continue
            if other is not None and self._draw_of.get(other) == draw:
                del self._draw_of[other]
            self._card_at[draw], self._draw_of[card] = card, draw
            return True
        return False

    def _find_card(self, draw: int, tried: set[int]) -> bool:
        """Give a draw a card; the card's old draw gets another card."""
        allowed = [card for card, draws in self._allowed.items() if draw in draws]
        for card in _in_order(allowed, self._draw_of):
            if card in tried:
                continue
            tried.add(card)
            old = self._draw_of.get(card)
            if old is None or self._find_card(old, tried):
                self._card_at[draw], self._draw_of[card] = card, draw
                return True
        return False


def _in_order(numbers: Collection[int], used: Collection[int]) -> Iterator[int]:
    """Yield the numbers in ascending order, first those that are not in use."""
    yield from sorted(number for number in numbers if number not in used)
    yield from sorted(number for number in numbers if number in used)
