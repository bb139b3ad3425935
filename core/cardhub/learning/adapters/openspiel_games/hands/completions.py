"""Possible histories by what is known of them, with a cache."""

from collections import deque
from collections.abc import Iterable

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.openspiel_games.hands.card_words import CardWords
from cardhub.learning.adapters.openspiel_games.hands.completion import ANY_PLAYER, Completion
from cardhub.learning.adapters.openspiel_games.hands.known_history import (
    CHANCE_PLAYER,
    FIRST_OPTION,
    KnownHistory,
    option_of,
    rounded,
)
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import UNKNOWN
from cardhub.learning.adapters.openspiel_games.original import MAX_CACHED, History, Original

# Histories found last that are tried first, a little longer than a table has viewers.
RECENT = 16
# Searches for a history, each from other cards, and random exchanges in all of them.
SEARCHES, MOST_EXCHANGES = 16, 12_000


class Completions:
    """Possible histories of one game."""

    def __init__(self, original: Original, words: CardWords) -> None:
        self._original, self._words = original, words
        self._found: dict[KnownHistory, History] = {}
        self._resolved: dict[History, History] = {}
        self._recent = deque[History](maxlen=RECENT)
        self._apart = deque[History](maxlen=RECENT)

    def of(self, known: KnownHistory) -> History:
        """Return a possible history; raises IllegalActionError if none was found."""
        found = self._found.get(known)
        if found is None:
            if len(self._found) >= MAX_CACHED:
                self._found.clear()
            found = self._extended(known, self._recent) or self._search(known)
            self._found[known] = found
            self._recent.appendleft(found)
        return found

    def apart(self, known: KnownHistory, truth: History) -> History:
        """Return a possible history whose unknown cards are others than in `truth`, if possible.

        Raises IllegalActionError if none was found.
        """
        others = [other for other in self._apart if self._is_apart(known, other, truth)]
        found = self._extended(known, others) or self._search(known, truth)
        self._apart.appendleft(found)
        return found

    def _is_apart(self, known: KnownHistory, other: History, truth: History) -> bool:
        draws = [draw.at for draw in known.draws]
        return len(other) > max(draws, default=0) and all(other[n] != truth[n] for n in draws)

    def resolved(self, steps: History) -> History:
        """Return a history without unknown steps in which hidden actions have their numbers."""
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

    def _fits(self, known: KnownHistory, history: History) -> bool:
        options = (n for n, step in enumerate(known.steps[: len(history)]) if step <= FIRST_OPTION)
        return known.fits(history) and all(
            self._step(history[:n], known.steps[n]) == history[n] for n in options
        )

    def _search(self, known: KnownHistory, apart: History = ()) -> History:
        exchanges = 0
        for number in range(SEARCHES):
            is_eager, seed = number % 2 == 0, number // 2
            search = Completion(
                self._original, self._words, known, apart, is_eager=is_eager, seed=seed
            )
            if found := search.history():
                return found
            exchanges += search.exchanges
            if exchanges > MOST_EXCHANGES:
                break
        raise IllegalActionError(f"{self._original.text}: no deal of the unseen cards was found")

    def _extended(self, known: KnownHistory, recent: Iterable[History]) -> History | None:
        """Return a history found before, with its last steps added; None if there is none."""
        returns = known.returns_by_index()
        for other in recent:
            if self._fits(known, other):
                history = self._continued(known, other[: len(known.steps)], returns)
                if history is not None:
                    return history
        return None

    def _continued(
        self, known: KnownHistory, history: History, returns: list[tuple[int, ...]]
    ) -> History | None:
        decks = {draw.at: draw.deck for draw in known.draws}
        for index in range(len(history), len(known.players)):
            state = self._original.at(history)
            is_same = known.players[index] in (ANY_PLAYER, state.current_player())
            if not is_same or (returns and returns[index] != rounded(state.returns())):
                return None
            if index == len(known.steps):
                return history
            legal, step = state.legal_actions(), self._step(history, known.steps[index])
            if step == UNKNOWN and known.players[index] == CHANCE_PLAYER:
                left = known.left[decks[index]]
                step = next((each for each in legal if each in left), UNKNOWN)
            elif step == UNKNOWN:
                step = legal[0]
            if step not in legal:
                return None
            history = (*history, int(step))
        return history
