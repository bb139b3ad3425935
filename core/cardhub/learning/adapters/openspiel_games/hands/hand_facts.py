"""What everybody is told although it follows from hidden cards: who acts, who has seen a card."""

from dataclasses import dataclass, field
from typing import Any

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.learning.adapters.openspiel_games.hands.completions import Completions
from cardhub.learning.adapters.openspiel_games.hands.hand_state import HandCards, HandState
from cardhub.learning.adapters.openspiel_games.hands.hand_survey import HandSurvey, is_new_deck
from cardhub.learning.adapters.openspiel_games.hands.known_cards import (
    is_put_back,
    refuse_unseen,
    sees_draw,
    told_of,
)
from cardhub.learning.adapters.openspiel_games.hands.known_history import CHANCE_PLAYER, rounded
from cardhub.learning.adapters.openspiel_games.hands.public_facts import (
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
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import UNKNOWN, is_hidden
from cardhub.learning.adapters.openspiel_games.openspiel_game import DRAWN
from cardhub.learning.adapters.openspiel_games.original import MAX_CACHED, History, Original


@dataclass(slots=True)
class HandFacts:
    """The public facts of one game; they are computed from a state that has all faces.

    With `has_news` players may be told of a card after it was drawn or laid.
    """

    original: Original
    cards: HandCards
    found: HandSurvey
    completions: Completions
    has_news: bool = False
    _deals: dict[History, Next] = field(default_factory=dict)
    _told: dict[History, dict[int, int]] = field(default_factory=dict)

    def expect_news(self) -> None:
        """Tell players of cards after they were drawn or laid, too."""
        self.has_news = True
        self._deals.clear()

    def next(self, state: HandState) -> Next:
        """Return what comes next, and make it public."""
        if any(actor != CHANCE_PLAYER for actor in state.actors):
            return fact_of(public_number(state, lambda: self._code(state), self._likely(state)))
        # No card has had an influence: the next draw of a deal is the same for all cards.
        dealt = tuple(state.moves)
        if dealt not in self._deals:
            self._deals[dealt] = self._fact(state, self._filled(dealt), is_deal=True)
        fact = self._deals[dealt]
        if fact.kind in (OPEN, HIDDEN, END, PUT_BACK):
            return fact_of(public_number(state, lambda: self._code(state), [code_of(fact)]))
        return fact

    def _filled(self, moves: History) -> History:
        """Return a deal with any cards."""
        history: History = ()
        for step in moves:
            if step == DRAWN:
                now = self.original.at(history)
                step = next(
                    int(o) for o in now.legal_actions() if not is_put_back(now, o)
                )  # the card of a draw
            history = (*history, step)
        return history

    def _likely(self, state: HandState) -> list[int]:
        codes = [] if state.actors[-1] < 0 else likely_codes(state.actors[-1], state.seats)
        if self.found.decks > 1:
            # Most decks are dealt as the first one was.
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
        """Return the history of a state with all faces; raises HiddenFaceError for others."""
        steps = self.cards.steps(state)
        if UNKNOWN in steps:
            raise HiddenFaceError("what comes next in the game depends on hidden cards")
        return self.completions.resolved(steps)

    def _fact(self, state: HandState, history: History, *, is_deal: bool = False) -> Next:
        now = self.original.at(history)
        if now.is_terminal():
            return Next(END)
        if now.is_chance_node():
            return self._of_chance(state, history, now, is_deal=is_deal)
        player = int(now.current_player())
        is_hiding = player in self.found.survey.hidden and is_hidden(self.original, now)
        return Next(HIDDEN if is_hiding else OPEN, player)

    def _of_chance(self, state: HandState, history: History, now: Any, *, is_deal: bool) -> Next:
        drawn, deck = [history[n] for n in self.cards.current(state)], self.found.survey.deck
        is_new = is_new_deck(deck, now, drawn)
        if not is_new and not deck.is_next(now, tuple(drawn)):
            refuse_unseen(self.original, now)
            return Next(CHANCE_NODE)
        outcomes = [int(each) for each in now.legal_actions()]
        back = [outcome for outcome in outcomes if is_put_back(now, outcome)]
        # The fact of a deal does not depend on its cards: then the true one is asked for, too.
        if back and (is_deal or self._next_card(state, is_new=is_new) in back):
            return Next(PUT_BACK)
        if len(outcomes) == 1 and self.has_news:
            return Next(NEW_DECK if is_new else DRAW)  # what it is, they are told later
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
        drawn = self.cards.drawn(state)
        return [index for index in indices if not state.seen[drawn[index]] >> seat & 1]

    def tell_returns(self, state: HandState) -> None:
        """Make the returns public, if all players are told them."""
        if not self.found.has_public_returns:
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

    def tell(self, state: HandState) -> None:
        """Show cards to the seats that OpenSpiel tells of them now."""
        if not self.has_news:
            return
        found = dict[int, int]()

        def news() -> bool:
            found.update(self._known_news(state))
            return any(found.values())

        if not state.answer(news):
            return
        tokens = self.cards.drawn(state)
        for seat in range(state.seats):
            unseen = self._unseen(state, seat, list(tokens))
            if not state.answer(lambda: any(found[n] >> seat & 1 for n in unseen)):  # noqa: B023  # called at once
                continue
            for index in unseen:
                if state.answer(lambda: bool(found[index] >> seat & 1)):  # noqa: B023  # called at once
                    state.show(tokens[index], seat)
        # Spectators see what all players see, such as the hand of the dummy in Bridge.
        seats = (1 << state.seats) - 1
        state.reveal([t for t in tokens.values() if state.seen[t] & seats == seats])

    def _known_news(self, state: HandState) -> dict[int, int]:
        truth = self.truth(state)
        if truth not in self._told:
            if len(self._told) >= MAX_CACHED:
                self._told.clear()
            self._told[truth] = self._news(state, truth)
        return self._told[truth]

    def _news(self, state: HandState, truth: History) -> dict[int, int]:
        """Return the seats that are told now, as bits, for each draw and hidden action."""
        tokens = self.cards.drawn(state)
        draws, found = self.cards.draws(state), dict.fromkeys(tokens, 0)
        if self.original.at(truth).is_terminal():
            return found  # all cards are turned up
        for seat in range(state.seats):
            unseen = self._unseen(state, seat, list(tokens))
            if self._has_news(state, truth, unseen, seat):
                of_draws = [n for n in unseen if n in draws]
                laid = [n for n in unseen if n not in draws]
                for index in told_of(self.original, truth, of_draws, laid, seat):
                    found[index] |= 1 << seat
        return found

    def _has_news(self, state: HandState, truth: History, unseen: list[int], seat: int) -> bool:
        """Return whether other cards in place of the unseen ones would look different to a seat."""
        steps = tuple(UNKNOWN if n in unseen else step for n, step in enumerate(truth))
        known = self.cards.known(state, steps, self.original.at(truth).current_player())
        try:
            other = self.completions.apart(known, truth)
        except IllegalActionError:
            return True
        states = (self.original.at(history) for history in (truth, other))
        return len({self.original.knowledge(each, seat) for each in states}) > 1


def zigzag(value: int) -> int:
    """Return a number from 0 on for an integer."""
    return 2 * value if value >= 0 else -2 * value - 1


def unzigzag(code: int) -> int:
    """Return the integer of a number that `zigzag` returned."""
    return code // 2 if code % 2 == 0 else -(code + 1) // 2
