"""Hearts: its declaration and its rules in outline."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub import CHANCE, OVER, WATCHED, Game, Goal, Heuristics, Seats, Usual
from hearts import sentences, tricks
from hearts.table import (
    ACTIONS,
    CARDS,
    DEAL,
    DEALING,
    OPTIONS,
    PASS,
    PASSING,
    PHASES,
    SEATS,
    SUIT_ROWS,
    Table,
    is_hand_over,
)

VERB_AND_INDEX = ACTIONS.verb_and_index  # read for every action


class HeartsHeuristics(Heuristics[Table]):
    """Playouts of single hands; suits have the same ranks."""

    face_rows = SUIT_ROWS

    @override
    def ends_playout(self, state: Table) -> bool:
        """Return whether the next hand is to be dealt: its cards are luck."""
        return state.phase == DEALING


class Hearts(Game[Table]):
    """Take neither hearts nor the queen of spades, or take all of them."""

    name, title, seats = "hearts", "Hearts", Seats(SEATS)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    goal, lowest_wins, state_type = Goal.WIN, True, Table
    score_range = Usual(0, 100)
    opens_at_end = True
    networks = ("networks/four.net",)
    levels: ClassVar[Mapping[str, str]] = {
        "beginner": "hasty:60,player=rule",
        "easy": "hasty:25,player=rule",
        "medium": "rule",
        "hard": "trained",
        "expert": "ismcts:100,net=trained",
    }
    heuristics_type = HeartsHeuristics
    display_type = ".display:HeartsDisplay"

    @override
    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as in every later hand."""
        # The first hand is dealt by chance like all others, so there is one way to deal.
        state.total, state.excluded = [0] * SEATS, [0] * SEATS
        state.put_all(range(CARDS.count), state.stack)
        state.seat, state.phase = CHANCE, DEALING

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == DEALING:
            return [DEAL]
        if state.phase == PASSING:
            return [PASS + token for token in state.hand[state.seat]]
        return tricks.playable(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, token = VERB_AND_INDEX[action]
        match verb:
            case "deal":
                tricks.deal_hands(state)
            case "pass":
                tricks.pass_on(state, token)
            case "play":
                tricks.play(state, token)
                if is_hand_over(state):
                    self._end_hand(state)

    @override
    def scores(self, state: Table) -> list[int]:
        return tricks.scores(state)

    @override
    def possible(self, state: Table, token: int) -> int:
        """Exclude the faces that a hand would have had to play, or has denied to hold."""
        for hand, excluded in zip(state.hand, state.excluded, strict=True):
            # Masks are kept for hands only; -1 excludes no face.
            if token in hand:
                return ~excluded
        return -1

    def _end_hand(self, state: Table) -> None:
        """End the game, or shuffle the cards for the next hand."""
        scores, settings = tricks.scores(state), state.settings
        if WATCHED:
            sentences.log_shooter(state, scores)
        state.number += 1
        if state.number >= settings.number("hands") and max(scores) >= settings.number("target"):
            state.seat = OVER
            return
        state.total = scores
        state.gather(state.stack)
        state.seat, state.phase = CHANCE, DEALING
