"""Search for a possible history of a card game, given a viewer's knowledge of it.

OpenSpiel's text of a state needs all cards, so the cards that the viewer has not seen are assigned
to the draws. If a public action would be illegal, cards are moved: to the player who plays a card,
away from a player who does not follow suit, otherwise at random.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cardhub_openspiel.imported.hands.assignment import Assignment
from cardhub_openspiel.imported.hands.card_words import CardWords
from cardhub_openspiel.imported.hands.known_history import (
    CHANCE_PLAYER,
    FIRST_OPTION,
    NOBODY,
    KnownHistory,
    option_of,
    rounded,
)
from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN
from cardhub_openspiel.imported.original import History, Original

# In place of a player, if the player to act is unknown.
ANY_PLAYER = -9
# In place of an action, if another player is to act or the public returns differ.
WRONG_STATE = -2
# The greatest numbers of resolved conflicts and of random exchanges of cards in a search.
MAX_CONFLICTS, MAX_EXCHANGES = 400, 4000
# The number of exclusions of cards that are tried before random exchanges.
MAX_EXCLUDED = 20


@dataclass(slots=True)
class _Walk:
    """A walk along a history: OpenSpiel's state, and the steps so far."""

    state: Any
    history: list[int]

    def copy(self) -> "_Walk":
        """Return an independent copy."""
        return _Walk(self.state.clone(), self.history[:])


@dataclass(slots=True)
class _Conflict:
    """A step that is impossible: its index, the walk before it, and the action."""

    index: int
    walk: _Walk
    action: int


class Completion:
    """A search for a history that agrees with a KnownHistory.

    `is_eager`: first give every played card to its player; this is faster, but fails if an action
    only resembles a card, or if a card has changed hands. `avoided`: a history; cards start at
    other draws than there if it is not empty. `seed`: the seed of a random start, or 0.
    """

    def __init__(
        self,
        original: Original,
        words: CardWords,
        knowledge: KnownHistory,
        avoided: History = (),
        *,
        is_eager: bool,
        seed: int = 0,
    ) -> None:
        self._original, self._words, self._knowledge = original, words, knowledge
        self._is_eager = is_eager
        self._deck_of = {draw.at: draw.deck for draw in knowledge.draws}
        self._decks = [
            Assignment(
                *order_differently(
                    cards, [d.at for d in knowledge.draws if d.deck == deck], avoided
                )
            )
            for deck, cards in enumerate(knowledge.unseen)
        ]
        self.exchanges = 0
        self._rng = Random(seed)
        for deck in self._decks if seed else ():
            deck.shuffle(deck.draws, self._rng)
        # Steps of earlier decks are fixed: each walk begins after them.
        self._base = _Walk(original.game.new_initial_state(), [])
        self._hands = Hands(knowledge, words.cards_given, gives_public=seed % 2 == 1)
        self._returns = [[*values] for values in knowledge.returns_by_index()]

    def history(self) -> History | None:
        """Return a possible history, or None if the search found none."""
        if self._is_eager and not self._confine_played():
            return None
        for _ in range(MAX_CONFLICTS):
            walk = self._base.copy()
            conflict = self._conflict(walk)
            if conflict is None:
                return tuple(walk.history)
            if not self._resolve(conflict):
                return None
        return None

    def _confine_played(self) -> bool:
        """Give each played card to the first player who played it."""
        met = set[tuple[int, int]]()
        for index, step in enumerate(self._knowledge.steps):
            player, deck = self._knowledge.players[index], self._knowledge.deck_at(index)
            for card in self._cards_of(step) if player >= 0 else ():
                if (deck, card) in met or card not in self._knowledge.unseen[deck]:
                    continue
                met.add((deck, card))
                draws_given = self._hands.given_at.get(index)
                draws = self._hands.of(player, index, deck) if draws_given is None else draws_given
                if not self._decks[deck].confine(card, draws):
                    return False
        return True

    def _cards_of(self, step: int) -> tuple[int, ...]:
        return self._words.of(step) if step >= 0 else ()

    def _conflict(self, walk: _Walk, last: int | None = None) -> _Conflict | None:
        """Continue a walk to the end of the steps; return the first conflict, or None.

        `last`: the index of the step after which the walk ends, or None for the last step.
        """
        knowledge = self._knowledge
        for index in range(len(walk.history), len(knowledge.steps)):
            action = self._action(walk, index)
            # OpenSpiel does not check all actions, and a wrong action can crash the process.
            if action not in walk.state.legal_actions():
                return _Conflict(index, walk, action)
            if index in knowledge.starts and last is None:
                self._base = walk.copy()
            walk.state.apply_action(action)
            walk.history.append(action)
            if index == last:
                return None
        end = len(knowledge.steps)
        return None if self._agrees(walk.state, end) else _Conflict(end, walk, WRONG_STATE)

    def _agrees(self, state: Any, index: int) -> bool:
        """Return whether a state has the history's public properties at an index."""
        player = self._knowledge.players[index]
        if player not in (ANY_PLAYER, state.current_player()):
            return False
        if not self._returns:
            return True
        expected, returns = self._returns[index], state.returns()
        # Compare first without rounding, which is the slowest part of this method.
        return returns == expected or rounded(returns) == tuple(expected)

    def _action(self, walk: _Walk, index: int) -> int:
        """Return the action of a step, or WRONG_STATE if public properties of the state differ."""
        step, state = self._knowledge.steps[index], walk.state
        if not self._agrees(state, index):
            return WRONG_STATE
        if step <= FIRST_OPTION:
            legal = state.legal_actions()
            return int(legal[option_of(step)]) if option_of(step) < len(legal) else UNKNOWN
        if step != UNKNOWN:
            return step
        if self._knowledge.players[index] == CHANCE_PLAYER:
            return self._decks[self._deck_of[index]].card_at(index)
        return self._giving_action(walk, index)

    def _giving_action(self, walk: _Walk, index: int) -> int:
        """Return an unknown action, by which a player gives cards away."""
        deck, draws = self._knowledge.deck_at(index), self._hands.given_at[index]
        # Cards given in a row are given in ascending order, as at the table.
        row = sorted(self._decks[deck].card_at(draw) for draw in draws)
        steps = walk.history[max(index - len(row), 0) :]
        before = [card for step in steps for card in self._cards_of(step)]
        given_cards = set([card for card in row if card not in before][: self._words.cards_given])
        for action in walk.state.legal_actions():
            cards = self._words.of(action, walk.state)
            is_match = (
                given_cards == set(cards)
                if given_cards
                else not any(self._is_unseen(c, deck) for c in cards)
            )
            if is_match:
                return int(action)
        return UNKNOWN

    def _resolve(self, conflict: _Conflict) -> bool:
        """Rule out the assignment that led to a conflict; return whether another one is left."""
        deck = self._knowledge.deck_at(conflict.index)
        before = self._decks[deck].copy()
        if not conflict.walk.state.is_chance_node() and conflict.action != UNKNOWN:
            hand, action = self._hand(conflict, deck), conflict.action
            cards = self._words.of(action, conflict.walk.state) if action >= 0 else ()
            elsewhere = [
                c for c in cards if self._is_unseen(c, deck) and before.draw_of(c) not in hand
            ]
            if elsewhere:
                if all(self._decks[deck].confine(card, hand) for card in elsewhere):
                    return True
            elif self._exclude(conflict, hand, deck):
                return True
        self._decks[deck] = before
        return self._exchange(conflict, deck)

    def _hand(self, conflict: _Conflict, deck: int) -> set[int]:
        """Return the draws that the player to act holds."""
        player = conflict.walk.state.current_player()
        return self._hands.of(player, conflict.index, deck)

    def _is_unseen(self, card: int, deck: int) -> bool:
        return card in self._knowledge.unseen[deck]

    def _exclude(self, conflict: _Conflict, hand: set[int], deck: int) -> bool:
        """Remove the cards from a hand that the player could have played instead."""
        assignment, state = self._decks[deck], conflict.walk.state
        for _ in range(MAX_EXCLUDED):
            instead = [c for action in state.legal_actions() for c in self._words.of(action, state)]
            playable = [
                c for c in instead if self._is_unseen(c, deck) and assignment.draw_of(c) in hand
            ]
            if not playable or not assignment.exclude(playable, hand):
                return False
            next_conflict = self._walk_to(conflict.index)
            if next_conflict is None or next_conflict.index != conflict.index:
                return True
            state = next_conflict.walk.state
        return False

    def _exchange(self, conflict: _Conflict, deck: int) -> bool:
        """Exchange free cards at random until the step is possible, first the player's cards."""
        assignment, hand = self._decks[deck], self._hand(conflict, deck)
        free = [d for d in assignment.draws if d < conflict.index and assignment.is_free(d)]
        movable = [draw for draw in free if draw in hand] or free
        while movable and self.exchanges < MAX_EXCHANGES:
            self.exchanges += 1
            assignment.shuffle(movable, self._rng)
            if self._walk_to(conflict.index) is None:
                return True
        return False

    def _walk_to(self, index: int) -> _Conflict | None:
        """Return the first conflict up to a step with the present assignment."""
        return self._conflict(self._base.copy(), index)


class Hands:
    """The draws that each player holds at each step.

    A hidden action gives away `count` cards. A viewer cannot distinguish the draws of a player, so
    a player gives away the first ones. `gives_public`: a player gives away a card that all players
    know, if possible; this card is not a draw here. `given_at`: the given draws by the index of the
    action, combined for consecutive actions of a player.
    """

    def __init__(self, knowledge: KnownHistory, count: int, *, gives_public: bool) -> None:
        self._deck = {draw.at: draw.deck for draw in knowledge.draws}
        # By deck and player the draws that are never given away, and the holders of all others.
        self._kept = defaultdict[tuple[int, int], list[int]](list)
        for at, deck, holder in knowledge.draws:
            self._kept[deck, holder].append(at)
        self._given: dict[int, list[tuple[int, int]]] = {}
        self.given_at: dict[int, list[int]] = {}
        receivers, waiting = dict(knowledge.receivers), list[tuple[int, int]]()
        for index, player in enumerate(knowledge.players):
            if index not in receivers:
                # Players receive the exchanged cards after all players have given theirs.
                for draw, receiver in waiting:
                    self._given[draw].append((index - 1, receiver))
                waiting = []
                continue
            deck = knowledge.deck_at(index)
            hand = sorted(self.of(player, index, deck))
            gives = hand[:count] if not gives_public or receivers[index] != NOBODY else []
            for draw in gives:
                self._give(draw, index, deck, player)
                waiting.append((draw, receivers[index]))
            is_same = index - 1 in self.given_at and knowledge.players[index - 1] == player
            self.given_at[index] = self.given_at[index - 1] if is_same else []
            self.given_at[index] += gives

    def _give(self, draw: int, index: int, deck: int, player: int) -> None:
        """Take a draw from the player who holds it."""
        if draw not in self._given:
            self._kept[deck, player].remove(draw)
            self._given[draw] = [(-1, player)]
        self._given[draw].append((index, NOBODY))

    def of(self, player: int, index: int, deck: int) -> set[int]:
        """Return the draws from a deck that a player holds before step `index`."""
        # Few cards are given away, so only these are followed: loading a game asks most of all.
        held = {draw for draw in self._kept.get((deck, player), ()) if draw < index}
        for draw in self._given:
            if draw < index and self._deck[draw] == deck and self._at(draw, index) == player:
                held.add(draw)
        return held

    def _at(self, draw: int, index: int) -> int:
        for start, holder in reversed(self._given[draw]):
            if start < index:
                return holder
        return NOBODY


def order_differently(
    cards: Sequence[int], draws: Sequence[int], avoided: History
) -> tuple[Sequence[int], Sequence[int]]:
    """Return cards in an order in which each draw gets another card than in `avoided`."""
    if not avoided:
        return cards, draws
    drawn_cards = [avoided[draw] for draw in draws]
    undrawn = [card for card in cards if card not in drawn_cards]
    return [*drawn_cards[1:], *undrawn, *drawn_cards[:1]], draws
