"""A possible history of a card game, given what one viewer knows of it.

OpenSpiel shows a player a state, and a state needs all cards. Those that the viewer has not seen
are assigned to the draws, and moved whenever a public action would be illegal: to the player who
plays a card, and away from a player who does not follow suit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardhub.adapters.openspiel_games.hands.assignment import Assignment
from cardhub.adapters.openspiel_games.laid.hidden_actions import UNKNOWN
from cardhub.adapters.openspiel_games.original import MAX_CACHED, History, Original
from cardhub.errors import IllegalActionError

# No seat: the holder of a card that nobody has seen, or that was put away.
NOBODY = -1
# In place of a player: it is not known who acts.
ANY_PLAYER = -9
# In place of an action: another player is to act.
WRONG_PLAYER = -2


@dataclass(frozen=True, slots=True)
class KnownHistory:
    """What a viewer knows of a history: `steps`, with UNKNOWN for what it does not know.

    `holders` has the player who saw each unknown draw, by its index in the history; `receivers`
    the player who got the card of each hidden action, known or not. `left` are the unseen cards,
    `players` who took each step, and the player to act now.
    """

    steps: History
    holders: tuple[tuple[int, int], ...]
    receivers: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    players: tuple[int, ...]


@dataclass(slots=True)
class _Conflict:
    """An illegal step: the state before it, the action, and who holds which draw by then."""

    state: Any
    action: int
    holder: dict[int, int]


class Completion:
    """A search for a history that agrees with a KnownHistory.

    `card_of` has the card that an action is about. An `eager` search first gives every card that
    was played to its player: it is faster, but fails where an action only sounds like a card.
    """

    def __init__(
        self,
        original: Original,
        card_of: Mapping[int, int],
        known: KnownHistory,
        *,
        is_eager: bool,
    ) -> None:
        self._original, self._card_of, self._known = original, card_of, known
        self._receivers = dict(known.receivers)
        # A card that changes hands may be played by another player than the one it was dealt to.
        self._is_eager = is_eager and not self._receivers
        self._cards = Assignment(known.left, [index for index, _ in known.holders])

    def history(self) -> History | None:
        """Return a possible history, None if none was found."""
        if self._is_eager and not self._confine_played():
            return None
        while True:
            found = self._played()
            if not isinstance(found, _Conflict):
                return found
            if not self._resolve(found):
                return None

    def _confine_played(self) -> bool:
        """Give each card that was played to its player at once, as no card changes hands."""
        for index, step in enumerate(self._known.steps):
            card, player = self._card_of.get(step), self._known.players[index]
            if player >= 0 and card in self._known.left:
                draws = {n for n, seat in self._known.holders if seat == player and n < index}
                if not self._cards.confine(card, draws):
                    return False
        return True

    def _played(self) -> History | _Conflict:
        """Return the history with the cards as they are assigned, or its first illegal step."""
        state, holder = self._original.game.new_initial_state(), dict(self._known.holders)
        history, given = [], dict[int, int]()
        for index, step in enumerate(self._known.steps):
            action = step
            if index not in self._receivers:
                # Cards that players give one another are received after all have given.
                holder.update(given)
            if state.current_player() != self._known.players[index]:
                return _Conflict(state, WRONG_PLAYER, holder)
            if step == UNKNOWN and state.is_chance_node():
                action = self._cards.card_at(index)
            elif step == UNKNOWN:
                action = self._given(state, holder, given, index)
            if action not in state.legal_actions():
                return _Conflict(state, action, holder)
            state.apply_action(action)
            history.append(action)
        holder.update(given)
        if self._known.players[-1] not in (ANY_PLAYER, state.current_player()):
            return _Conflict(state, WRONG_PLAYER, holder)
        return tuple(history)

    def _given(self, state: Any, holder: dict[int, int], given: dict[int, int], index: int) -> int:
        """Return an unknown action, by which a card of a player goes to its receiver."""
        player, legal = state.current_player(), state.legal_actions()
        held = [draw for draw, seat in holder.items() if seat == player and draw not in given]
        if not held:
            return int(legal[0])
        # Draws of a player are alike for this viewer, so the first one may be what is given.
        given[held[0]] = self._receivers[index]
        holder[held[0]] = NOBODY
        card = self._cards.card_at(held[0])
        return next((a for a in legal if self._card_of.get(a) == card), UNKNOWN)

    def _resolve(self, conflict: _Conflict) -> bool:
        """Rule out the assignment that led to a conflict; return whether there is another one."""
        state = conflict.state
        if state.is_chance_node() or conflict.action == UNKNOWN:
            return False
        player = state.current_player()
        now = len(state.history())
        own = {draw for draw, seat in conflict.holder.items() if seat == player and draw < now}
        card = self._card_of.get(conflict.action)
        if card in self._known.left and self._cards.draw_of(card) not in own:
            return self._cards.confine(card, own)
        instead = [self._card_of.get(action) for action in state.legal_actions()]
        held = [c for c in instead if c in self._known.left and self._cards.draw_of(c) in own]
        return bool(held) and self._cards.exclude(held, own)


class Completions:
    """Possible histories by what is known of them, with a cache."""

    def __init__(self, original: Original, card_of: Mapping[int, int]) -> None:
        self._original, self._card_of = original, card_of
        self._found: dict[KnownHistory, History] = {}

    def of(self, known: KnownHistory) -> History:
        """Return a possible history, the same for equal knowledge.

        Raises IllegalActionError if none was found.
        """
        if known not in self._found:
            if len(self._found) >= MAX_CACHED:
                self._found.clear()
            self._found[known] = self._search(known)
        return self._found[known]

    def _search(self, known: KnownHistory) -> History:
        for is_eager in (True, False):
            search = Completion(self._original, self._card_of, known, is_eager=is_eager)
            if found := search.history():
                return found
        raise IllegalActionError(f"{self._original.text}: no deal of the unseen cards was found")
