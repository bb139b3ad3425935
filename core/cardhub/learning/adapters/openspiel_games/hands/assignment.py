"""Cards assigned to draws under restrictions: a matching that is repaired step by step."""

from collections.abc import Iterable, Sequence
from random import Random


class Assignment:
    """One card for each draw, with the draws that are allowed for each card.

    At the start all are allowed, and cards have the draws in their order. There may be more cards
    than draws; a card that was confined has a draw. Restrictions return whether they can be met;
    if one cannot, the assignment is no longer complete.
    """

    def __init__(self, cards: Sequence[int], draws: Sequence[int]) -> None:
        self.draws = list(draws)
        self._allowed = {card: set(draws) for card in cards}
        self._required = set[int]()
        self._card_at = dict(zip(draws, cards, strict=False))
        self._draw_of = {card: draw for draw, card in self._card_at.items()}

    def copy(self) -> "Assignment":
        """Return an assignment that is changed independently."""
        other = Assignment((), self.draws)
        other._allowed = {card: set(draws) for card, draws in self._allowed.items()}
        other._required = set(self._required)
        other._card_at, other._draw_of = dict(self._card_at), dict(self._draw_of)
        return other

    def card_at(self, draw: int) -> int:
        """Return the card of a draw."""
        return self._card_at[draw]

    def draw_of(self, card: int) -> int | None:
        """Return the draw of a card, None if it has none."""
        return self._draw_of.get(card)

    def is_free(self, draw: int) -> bool:
        """Return whether no restriction demands that the card of a draw has a draw."""
        return self._card_at[draw] not in self._required

    def confine(self, card: int, draws: Iterable[int]) -> bool:
        """Allow only these draws for a card, which must have one."""
        self._required.add(card)
        self._allowed[card] &= set(draws)
        return self._repair()

    def exclude(self, cards: Iterable[int], draws: Iterable[int]) -> bool:
        """Allow none of these draws for some cards."""
        for card in cards:
            self._allowed[card] -= set(draws)
        return self._repair()

    def shuffle(self, draws: Sequence[int], rng: Random) -> None:
        """Exchange the cards of free draws with other free ones, as far as all are allowed."""
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

    def _repair(self) -> bool:
        for card, draw in list(self._draw_of.items()):
            if draw not in self._allowed[card]:
                del self._draw_of[card], self._card_at[draw]
        missing = [card for card in self._required if card not in self._draw_of]
        if not all(self._find_draw(card, set()) for card in missing):
            return False
        empty = [draw for draw in self.draws if draw not in self._card_at]
        return all(self._find_card(draw, set()) for draw in empty)

    def _find_draw(self, card: int, tried: set[int]) -> bool:
        """Give a card a draw; the card there gets another one if it needs one."""
        for draw in sorted(self._allowed[card], key=lambda each: (each in self._card_at, each)):
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
        """Give a draw a card; the draw where it was gets another one."""
        for card in sorted(self._allowed, key=lambda each: (each in self._draw_of, each)):
            if card in tried or draw not in self._allowed[card]:
                continue
            tried.add(card)
            old = self._draw_of.get(card)
            if old is None or self._find_card(old, tried):
                self._card_at[draw], self._draw_of[card] = card, draw
                return True
        return False
