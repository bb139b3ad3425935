"""A possible history of a card game, given what one viewer knows of it.

OpenSpiel shows a player a state, and a state needs all cards. Those that the viewer has not seen
are assigned to the draws. Whenever a public action would be illegal, they are moved: to the player
who plays a card, away from a player who does not follow suit, and else at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cardhub.learning.adapters.openspiel_games.hands.assignment import Assignment
from cardhub.learning.adapters.openspiel_games.hands.card_words import CardWords
from cardhub.learning.adapters.openspiel_games.hands.holders import Hands
from cardhub.learning.adapters.openspiel_games.hands.known_history import (
    CHANCE_PLAYER,
    FIRST_OPTION,
    KnownHistory,
    option_of,
    rounded,
)
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import UNKNOWN
from cardhub.learning.adapters.openspiel_games.original import History, Original

# In place of a player: it is not known who acts.
ANY_PLAYER = -9
# In place of an action: another player is to act, or the public returns are others.
WRONG_STATE = -2
# Bounds of a search: conflicts that are resolved, and random exchanges of cards.
MAX_CONFLICTS, MAX_EXCHANGES = 400, 4000
# Cards that were forbidden one after the other before the exchanges begin.
MAX_EXCLUDED = 20


@dataclass(slots=True)
class _Walk:
    """A walk along a history: OpenSpiel's state, and the steps so far."""

    state: Any
    history: list[int]

    def copy(self) -> "_Walk":
        """Return a walk that goes on independently."""
        return _Walk(self.state.clone(), self.history[:])


@dataclass(slots=True)
class _Conflict:
    """A step that is impossible: its index, the walk before it, and the action."""

    index: int
    walk: _Walk
    action: int


class Completion:
    """A search for a history that agrees with a KnownHistory.

    An `eager` search first gives every card that was played to its player: it is faster, but fails
    where an action only sounds like a card, or a card has changed hands. Cards begin elsewhere than
    in the history `apart`, if it is given, or anywhere with a `seed`.
    """

    def __init__(
        self,
        original: Original,
        words: CardWords,
        known: KnownHistory,
        apart: History = (),
        *,
        is_eager: bool,
        seed: int = 0,
    ) -> None:
        self._original, self._words, self._known = original, words, known
        self._is_eager = is_eager
        self._deck_of = {draw.at: draw.deck for draw in known.draws}
        self._decks = [
            Assignment(*order_apart(left, [d.at for d in known.draws if d.deck == deck], apart))
            for deck, left in enumerate(known.left)
        ]
        self.exchanges = 0
        self._rng = Random(seed)
        for deck in self._decks if seed else ():
            deck.shuffle(deck.draws, self._rng)
        # Decks before the present one are settled: the walk begins after them.
        self._base = _Walk(original.game.new_initial_state(), [])
        self._hands = Hands(known, words.given, gives_known=seed % 2 == 1)
        self._returns = [[*values] for values in known.returns_by_index()]

    def history(self) -> History | None:
        """Return a possible history, None if none was found."""
        if self._is_eager and not self._confine_played():
            return None
        for _ in range(MAX_CONFLICTS):
            walk = self._base.copy()
            found = self._conflict(walk)
            if found is None:
                return tuple(walk.history)
            if not self._resolve(found):
                return None
        return None

    def _confine_played(self) -> bool:
        """Give each card that was played to the player who was the first to play it."""
        met = set[tuple[int, int]]()
        for index, step in enumerate(self._known.steps):
            player, deck = self._known.players[index], self._known.deck_at(index)
            for card in self._cards_of(step) if player >= 0 else ():
                if (deck, card) in met or card not in self._known.left[deck]:
                    continue
                met.add((deck, card))
                given = self._hands.given.get(index)
                draws = self._hands.of(player, index, deck) if given is None else given
                if not self._decks[deck].confine(card, draws):
                    return False
        return True

    def _cards_of(self, step: int) -> tuple[int, ...]:
        return self._words.of(step) if step >= 0 else ()

    def _conflict(self, walk: _Walk, last: int | None = None) -> _Conflict | None:
        """Go on to the end of the known steps; return the first conflict, None if there is none.

        With `last` the walk ends after the step with this index.
        """
        known = self._known
        for index in range(len(walk.history), len(known.steps)):
            action = self._action(walk, index)
            # OpenSpiel itself does not check all actions, and a wrong one can end the process.
            if action not in walk.state.legal_actions():
                return _Conflict(index, walk, action)
            if index in known.starts and last is None:
                self._base = walk.copy()
            walk.state.apply_action(action)
            walk.history.append(action)
            if index == last:
                return None
        end = len(known.steps)
        return None if self._agrees(walk.state, end) else _Conflict(end, walk, WRONG_STATE)

    def _agrees(self, state: Any, index: int) -> bool:
        """Return whether a state has the public properties that the history has at an index."""
        player = self._known.players[index]
        if player not in (ANY_PLAYER, state.current_player()):
            return False
        if not self._returns:
            return True
        expected, found = self._returns[index], state.returns()
        # Whole numbers need not be rounded, which takes longer than all else here.
        return found == expected or rounded(found) == tuple(expected)

    def _action(self, walk: _Walk, index: int) -> int:
        """Return the action of a step, WRONG_STATE if the state is another than it was."""
        step, state = self._known.steps[index], walk.state
        if not self._agrees(state, index):
            return WRONG_STATE
        if step <= FIRST_OPTION:
            legal = state.legal_actions()
            return int(legal[option_of(step)]) if option_of(step) < len(legal) else UNKNOWN
        if step != UNKNOWN:
            return step
        if self._known.players[index] == CHANCE_PLAYER:
            return self._decks[self._deck_of[index]].card_at(index)
        return self._given(walk, index)

    def _given(self, walk: _Walk, index: int) -> int:
        """Return an unknown action, by which a player gives cards away."""
        deck, draws = self._known.deck_at(index), self._hands.given[index]
        # Cards given in a row are given in ascending order, as at the table.
        row = sorted(self._decks[deck].card_at(draw) for draw in draws)
        steps = walk.history[max(index - len(row), 0) :]
        before = [card for step in steps for card in self._cards_of(step)]
        given = set([card for card in row if card not in before][: self._words.given])
        for action in walk.state.legal_actions():
            cards = self._words.of(action, walk.state)
            if given == set(cards) if given else not any(self._is_left(c, deck) for c in cards):
                return int(action)
        return UNKNOWN

    def _resolve(self, found: _Conflict) -> bool:
        """Rule out the assignment that led to a conflict; return whether there is another one."""
        deck = self._known.deck_at(found.index)
        before = self._decks[deck].copy()
        if not found.walk.state.is_chance_node() and found.action != UNKNOWN:
            own = self._own(found, deck)
            cards = self._words.of(found.action, found.walk.state) if found.action >= 0 else ()
            elsewhere = [
                c for c in cards if self._is_left(c, deck) and before.draw_of(c) not in own
            ]
            if elsewhere:
                if all(self._decks[deck].confine(card, own) for card in elsewhere):
                    return True
            elif self._exclude(found, own, deck):
                return True
        self._decks[deck] = before
        return self._exchange(found, deck)

    def _own(self, found: _Conflict, deck: int) -> set[int]:
        """Return the draws that the player to act holds."""
        player = found.walk.state.current_player()
        return self._hands.of(player, found.index, deck)

    def _is_left(self, card: int, deck: int) -> bool:
        return card in self._known.left[deck]

    def _exclude(self, found: _Conflict, own: set[int], deck: int) -> bool:
        """Take the cards away that the player could have played instead."""
        assignment, state = self._decks[deck], found.walk.state
        for _ in range(MAX_EXCLUDED):
            instead = [c for action in state.legal_actions() for c in self._words.of(action, state)]
            held = [c for c in instead if self._is_left(c, deck) and assignment.draw_of(c) in own]
            if not held or not assignment.exclude(held, own):
                return False
            other = self._walk_to(found.index)
            if other is None or other.index != found.index:
                return True
            state = other.walk.state
        return False

    def _exchange(self, found: _Conflict, deck: int) -> bool:
        """Exchange free cards at random, first those of the player, until the step is possible."""
        assignment, own = self._decks[deck], self._own(found, deck)
        free = [d for d in assignment.draws if d < found.index and assignment.is_free(d)]
        movable = [draw for draw in free if draw in own] or free
        while movable and self.exchanges < MAX_EXCHANGES:
            self.exchanges += 1
            assignment.shuffle(movable, self._rng)
            if self._walk_to(found.index) is None:
                return True
        return False

    def _walk_to(self, index: int) -> _Conflict | None:
        """Return the first conflict up to a step with the present assignment."""
        return self._conflict(self._base.copy(), index)


def order_apart(
    cards: Sequence[int], draws: Sequence[int], apart: History
) -> tuple[Sequence[int], Sequence[int]]:
    """Return cards in the order of draws, in which none has the one that it has in `apart`."""
    if not apart:
        return cards, draws
    drawn = [apart[draw] for draw in draws]
    others = [card for card in cards if card not in drawn]
    return [*drawn[1:], *others, *drawn[:1]], draws
