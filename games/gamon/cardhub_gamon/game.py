"""Gamon: its declaration and its rules in outline."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub import CHANCE, Game, Goal, Range, Seats
from cardhub_gamon import effects, placing, rounds, turns
from cardhub_gamon.table import (
    ACTIONS,
    BELIEVE,
    CALLING,
    CARDS,
    CHOOSING,
    DOUBTING,
    FIRST,
    FIRST_ATTACKERS,
    GAMON,
    OPTIONS,
    PHASES,
    PLACING,
    PRICING,
    STARTING,
    Table,
)

VERB_AND_VALUE = ACTIONS.verb_and_value  # read for every action


class Gamon(Game[Table]):
    """Navy and Pirate fight for coins with cards that may differ from their calls."""

    name = "gamon"
    title = "Gamon"
    tagline = "call, bluff, Gamon!"
    minutes = 15
    version = "1"
    seats = Seats(2)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    goal = Goal.WIN
    score_range = Range(0, "coins")
    opens_at_end = True
    unit = "coins"
    networks = ("networks/two.net",)
    levels: ClassVar[Mapping[str, str]] = {
        "beginner": "hasty:25,player=rule",
        "easy": "rule",
        "medium": "hasty:9,player=trained",
        "hard": "trained",
        "expert": "ismcts:100,net=trained",
    }
    state_type = Table
    heuristics_type = ".strategy.call_model:GamonHeuristics"
    display_type = ".display.display:GamonDisplay"

    @override
    def deal(self, state: Table) -> None:
        """Give each side its deck; begin the first round, or ask chance for the attacker."""
        state.pile = state.settings.number("coins")
        state.purse, state.called, state.carried = [0, 0], [0, 0], [0, 0]
        state.excluded = [0] * len(state.face)
        for token, back in enumerate(state.back):
            # Backs are numbered like the seats: each side has its own cards.
            state.put(token, state.deck, back)
        first = state.settings.word("first_attacker")
        if first == "random":
            rounds.reset_round(state)
            state.seat, state.phase = CHANCE, STARTING
            return
        state.attacker = FIRST_ATTACKERS.index(first)
        rounds.begin_round(state)

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == PLACING:
            return placing.legal_places(state)
        if state.phase == CALLING:
            return placing.legal_calls(state)
        if state.phase == DOUBTING:
            return [GAMON, BELIEVE]
        if state.phase == PRICING:
            return rounds.legal_prizes(state)
        if state.phase == CHOOSING:
            return effects.legal_choices(state)
        return [FIRST + seat for seat in range(state.seats)]

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, value = VERB_AND_VALUE[action]
        match verb:
            case "place":
                placing.place(state, value)
            case "call":
                placing.call(state, value)
            case "gamon":
                turns.cry_gamon(state)
                self._end_turn(state)
            case "believe":
                turns.believe(state)
                self._end_turn(state)
            case "prize":
                rounds.set_prize(state, value)
            case "move" | "remove" | "pay":
                # The effects stopped for this choice; those after it follow now.
                effects.choose(state, value)
                turns.resume_effects(state)
                self._end_turn(state)
            case "first":
                state.attacker = value
                rounds.begin_round(state)

    @override
    def scores(self, state: Table) -> list[int]:
        """Return the coins in the purses."""
        return state.purse[:]

    @override
    def possible(self, state: Table, token: int) -> int:
        return ~state.excluded[token]

    @override
    def plausible(self, state: Table) -> bool:
        """Return whether each hand with a playable card has one (gamon N15)."""
        face = state.face
        # A whole hand of unplayable faces: `possible` cannot exclude it card by card.
        return all(
            not all(mask >> face[token] & 1 for token in tokens) for mask, *tokens in state.able
        )

    def _end_turn(self, state: Table) -> None:
        if turns.is_over(state):
            rounds.begin_turn(state)
