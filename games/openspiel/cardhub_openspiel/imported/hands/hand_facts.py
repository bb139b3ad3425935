"""Public facts that follow from hidden cards: who acts next, and who has seen a card."""

from dataclasses import dataclass, field
from typing import Any

from cardhub import HiddenFaceError, IllegalActionError
from cardhub_openspiel.imported.hands.completions import Completions
from cardhub_openspiel.imported.hands.hand_state import HandCards, HandState
from cardhub_openspiel.imported.hands.hand_survey import HandSurvey, is_new_deck
from cardhub_openspiel.imported.hands.known_cards import (
    find_news,
    is_put_back,
    refuse_unseen,
    sees_draw,
)
from cardhub_openspiel.imported.hands.known_history import CHANCE_PLAYER, rounded
from cardhub_openspiel.imported.hands.public_facts import (
    CHANCE_NODE,
    DRAW,
    END,
    HIDDEN,
    NEW_DECK,
    OPEN,
    PUT_BACK,
    Next,
    code_of,
    fact_of,
    likely_codes,
    public_number,
)
from cardhub_openspiel.imported.laid.hidden_actions import UNKNOWN, is_hidden
from cardhub_openspiel.imported.openspiel_game import DRAWN
from cardhub_openspiel.imported.original import MAX_CACHED, History, Original


@dataclass(slots=True)
class HandFacts:
    """The public facts of one game, computed from states with all faces.

    `has_news`: players may learn a card after it was drawn or laid.
    """

    original: Original
    cards: HandCards
    hand_survey: HandSurvey
    completions: Completions
    has_news: bool = False
    _deals: dict[History, Next] = field(default_factory=dict)
    _news_cache: dict[History, dict[int, int]] = field(default_factory=dict)

    def expect_news(self) -> None:
        """Show cards to players also after these were drawn or laid."""
        self.has_news = True
        self._deals.clear()

    def next(self, state: HandState) -> Next:
        """Return the next event of the game, and make it public."""
        if any(actor != CHANCE_PLAYER for actor in state.actors):
            return fact_of(public_number(state, lambda: self._code(state), self._likely(state)))
        # Cards have no influence before the first action: the next event is the same for all deals.
        dealt = tuple(state.moves)
        if dealt not in self._deals:
            self._deals[dealt] = self._fact(state, self._filled(dealt), is_deal=True)
        fact = self._deals[dealt]
        if fact.kind in (OPEN, HIDDEN, END, PUT_BACK):
            return fact_of(public_number(state, lambda: self._code(state), [code_of(fact)]))
        return fact

    def _filled(self, moves: History) -> History:
        """Return the history of a deal with arbitrary cards."""
        history: History = ()
        for step in moves:
            if step == DRAWN:
                node = self.original.at(history)
                step = next(int(o) for o in node.legal_actions() if not is_put_back(node, o))
            history = (*history, step)
        return history

    def _likely(self, state: HandState) -> list[int]:
        codes = [] if state.actors[-1] < 0 else likely_codes(state.actors[-1], state.seats)
        if self.hand_survey.decks > 1:
            # Most decks are dealt like the first one.
            token = self.cards.next_token(state, is_new=False)
            seats = (1 << state.seats) - 1
            number = token % len(self.cards.kinds)
            codes.append(code_of(Next(DRAW, state.seen[number] & seats)))
            codes.append(code_of(Next(NEW_DECK, state.seen[0] & seats)))
            codes += [code_of(Next(OPEN, seat)) for seat in range(state.seats)]
        return list(dict.fromkeys(codes))

    def _code(self, state: HandState) -> int:
        return code_of(self._fact(state, self.truth(state)))

    def truth(self, state: HandState) -> History:
        """Return the history of a state; raises HiddenFaceError unless it has all faces."""
        steps = self.cards.steps(state)
        if UNKNOWN in steps:
            raise HiddenFaceError("the next event of the game depends on hidden cards")
        return self.completions.resolved(steps)

    def _fact(self, state: HandState, history: History, *, is_deal: bool = False) -> Next:
        node = self.original.at(history)
        if node.is_terminal():
            return Next(END)
        if node.is_chance_node():
            return self._of_chance(state, history, node, is_deal=is_deal)
        player = int(node.current_player())
        is_hiding = player in self.hand_survey.survey.hidden and is_hidden(self.original, node)
        return Next(HIDDEN if is_hiding else OPEN, player)

    def _of_chance(self, state: HandState, history: History, node: Any, *, is_deal: bool) -> Next:
        deck = self.hand_survey.survey.deck
        draws = [history[n] for n in self.cards.current(state)]
        is_new = is_new_deck(deck, node, draws)
        if not is_new and not deck.is_next(node, tuple(draws)):
            refuse_unseen(self.original, node)
            return Next(CHANCE_NODE)
        outcomes = [int(outcome) for outcome in node.legal_actions()]
        back = [outcome for outcome in outcomes if is_put_back(node, outcome)]
        # The fact of a deal must not depend on its cards; `next` then asks for the true card.
        if back and (is_deal or self._next_card(state, is_new=is_new) in back):
            return Next(PUT_BACK)
        if len(outcomes) == 1 and self.has_news:
            return Next(NEW_DECK if is_new else DRAW)  # players learn the card later
        after, seats = (*history, outcomes[0]), 0
        for seat in range(state.seats):
            if sees_draw(
                self.original, after, self._unseen(state, seat, self.cards.current(state)), seat
            ):
                seats |= 1 << seat
        return Next(NEW_DECK if is_new else DRAW, seats)

    def _next_card(self, state: HandState, *, is_new: bool) -> int:
        token = self.cards.next_token(state, is_new=is_new)
        return self.cards.value(token, state.face[token])

    def _unseen(self, state: HandState, seat: int, indices: list[int]) -> list[int]:
        tokens = self.cards.drawn(state)
        return [index for index in indices if not state.seen[tokens[index]] >> seat & 1]

    def publish_returns(self, state: HandState) -> None:
        """Make the returns public if OpenSpiel shows them to all players."""
        if not self.hand_survey.has_public_returns:
            return
        last = state.returns[len(state.returns) - state.seats :]
        if not state.answer(lambda: self._returns(state) != last):
            return
        state.returns.append(len(state.moves))
        for seat, value in enumerate(last):
            code = public_number(state, lambda: zigzag(self._returns(state)[seat] - value), [0])  # noqa: B023  # called at once
            state.returns.append(value + unzigzag(code))

    def _returns(self, state: HandState) -> list[int]:
        return list(rounded(self.original.at(self.truth(state)).returns()))

    def show_news(self, state: HandState) -> None:
        """Show cards to the seats that learn them from OpenSpiel in this state."""
        if not self.has_news:
            return
        seats_by_index = dict[int, int]()

        def news() -> bool:
            seats_by_index.update(self._cached_news(state))
            return any(seats_by_index.values())

        if not state.answer(news):
            return
        tokens = self.cards.drawn(state)
        for seat in range(state.seats):
            unseen = self._unseen(state, seat, list(tokens))
            if not state.answer(lambda: any(seats_by_index[n] >> seat & 1 for n in unseen)):  # noqa: B023  # called at once
                continue
            for index in unseen:
                if state.answer(lambda: bool(seats_by_index[index] >> seat & 1)):  # noqa: B023  # called at once
                    state.show(tokens[index], seat)
        # Spectators see what all players see, for example the dummy's hand in Bridge.
        seats = (1 << state.seats) - 1
        state.reveal([t for t in tokens.values() if state.seen[t] & seats == seats])

    def _cached_news(self, state: HandState) -> dict[int, int]:
        truth = self.truth(state)
        if truth not in self._news_cache:
            if len(self._news_cache) >= MAX_CACHED:
                self._news_cache.clear()
            self._news_cache[truth] = self._news(state, truth)
        return self._news_cache[truth]

    def _news(self, state: HandState, truth: History) -> dict[int, int]:
        """Return, for each draw and hidden action, the seats that learn it, as bits."""
        tokens = self.cards.drawn(state)
        draws, seats_by_index = self.cards.draws(state), dict.fromkeys(tokens, 0)
        if self.original.at(truth).is_terminal():
            return seats_by_index  # all cards are turned up at the end
        for seat in range(state.seats):
            unseen = self._unseen(state, seat, list(tokens))
            if self._has_news(state, truth, unseen, seat):
                of_draws = [n for n in unseen if n in draws]
                of_laid = [n for n in unseen if n not in draws]
                for index in find_news(self.original, truth, of_draws, of_laid, seat):
                    seats_by_index[index] |= 1 << seat
        return seats_by_index

    def _has_news(self, state: HandState, truth: History, unseen: list[int], seat: int) -> bool:
        """Return whether the game would look different to a seat with other unseen cards."""
        steps = tuple(UNKNOWN if n in unseen else step for n, step in enumerate(truth))
        knowledge = self.cards.knowledge(state, steps, self.original.at(truth).current_player())
        try:
            alternative = self.completions.different(knowledge, truth)
        except IllegalActionError:
            return True
        nodes = (self.original.at(history) for history in (truth, alternative))
        return len({self.original.knowledge(node, seat) for node in nodes}) > 1


def zigzag(value: int) -> int:
    """Return a natural number for an integer; `unzigzag` is the inverse."""
    return 2 * value if value >= 0 else -2 * value - 1


def unzigzag(code: int) -> int:
    """Return the integer for a number that `zigzag` returned."""
    return code // 2 if code % 2 == 0 else -(code + 1) // 2
