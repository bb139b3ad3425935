"""Possible histories for viewers' knowledge, with a cache."""

from collections import deque
from collections.abc import Iterable

from cardhub import IllegalActionError
from cardhub_openspiel.imported.hands.card_words import CardWords
from cardhub_openspiel.imported.hands.completion import ANY_PLAYER, Completion
from cardhub_openspiel.imported.hands.known_history import (
    CHANCE_PLAYER,
    FIRST_OPTION,
    KnownHistory,
    option_of,
    rounded,
)
from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN
from cardhub_openspiel.imported.original import MAX_CACHED, History, Original

# The number of recent histories that are tried first, a little more than a table's viewers.
RECENT = 16
# The greatest number of searches for a history, and of random exchanges in all of them.
SEARCHES, MOST_EXCHANGES = 16, 12_000


class Completions:
    """Possible histories of one game."""

    def __init__(self, original: Original, words: CardWords) -> None:
        self._original, self._words = original, words
        self._histories: dict[KnownHistory, History] = {}
        self._resolved: dict[History, History] = {}
        self._recent = deque[History](maxlen=RECENT)
        self._recent_different = deque[History](maxlen=RECENT)

    def of(self, knowledge: KnownHistory) -> History:
        """Return a possible history; raises IllegalActionError if the searches find none."""
        history = self._histories.get(knowledge)
        if history is None:
            if len(self._histories) >= MAX_CACHED:
                self._histories.clear()
            history = self._extended(knowledge, self._recent) or self._search(knowledge)
            self._histories[knowledge] = history
            self._recent.appendleft(history)
        return history

    def different(self, knowledge: KnownHistory, truth: History) -> History:
        """Return a possible history with other unknown cards than in `truth`, if possible.

        Raises IllegalActionError if the searches find none.
        """
        candidates = [
            history
            for history in self._recent_different
            if self._is_different(knowledge, history, truth)
        ]
        history = self._extended(knowledge, candidates) or self._search(knowledge, truth)
        self._recent_different.appendleft(history)
        return history

    def _is_different(self, knowledge: KnownHistory, history: History, truth: History) -> bool:
        draws = [draw.at for draw in knowledge.draws]
        return len(history) > max(draws, default=0) and all(history[n] != truth[n] for n in draws)

    def resolved(self, steps: History) -> History:
        """Return a history without unknown steps, with hidden actions as OpenSpiel's numbers."""
        history = self._resolved.get(steps)
        if history is None:
            history = ()
            for step in steps:
                history = (*history, self._step(history, step))
            if len(self._resolved) >= MAX_CACHED:
                self._resolved.clear()
            self._resolved[steps] = history
        return history

    def _step(self, history: History, step: int) -> int:
        if step > FIRST_OPTION:
            return step
        legal = self._original.at(history).legal_actions()
        return int(legal[option_of(step)]) if option_of(step) < len(legal) else UNKNOWN

    def _is_consistent(self, knowledge: KnownHistory, history: History) -> bool:
        steps = enumerate(knowledge.steps[: len(history)])
        options = (n for n, step in steps if step <= FIRST_OPTION)
        return knowledge.is_consistent(history) and all(
            self._step(history[:n], knowledge.steps[n]) == history[n] for n in options
        )

    def _search(self, knowledge: KnownHistory, avoided: History = ()) -> History:
        exchanges = 0
        for number in range(SEARCHES):
            is_eager, seed = number % 2 == 0, number // 2
            search = Completion(
                self._original, self._words, knowledge, avoided, is_eager=is_eager, seed=seed
            )
            if history := search.history():
                return history
            exchanges += search.exchanges
            if exchanges > MOST_EXCHANGES:
                break
        raise IllegalActionError(f"{self._original.text}: no deal of the unseen cards was found")

    def _extended(self, knowledge: KnownHistory, recent: Iterable[History]) -> History | None:
        """Return an earlier history with the missing last steps added, or None."""
        returns = knowledge.returns_by_index()
        for start in recent:
            if self._is_consistent(knowledge, start):
                history = self._continued(knowledge, start[: len(knowledge.steps)], returns)
                if history is not None:
                    return history
        return None

    def _continued(
        self, knowledge: KnownHistory, history: History, returns: list[tuple[int, ...]]
    ) -> History | None:
        decks = {draw.at: draw.deck for draw in knowledge.draws}
        for index in range(len(history), len(knowledge.players)):
            state = self._original.at(history)
            is_same = knowledge.players[index] in (ANY_PLAYER, state.current_player())
            if not is_same or (returns and returns[index] != rounded(state.returns())):
                return None
            if index == len(knowledge.steps):
                return history
            legal, step = state.legal_actions(), self._step(history, knowledge.steps[index])
            if step == UNKNOWN and knowledge.players[index] == CHANCE_PLAYER:
                unseen = knowledge.unseen[decks[index]]
                step = next((action for action in legal if action in unseen), UNKNOWN)
            elif step == UNKNOWN:
                step = legal[0]
            if step not in legal:
                return None
            history = (*history, int(step))
        return history
