"""Gargon: its declaration and its rules in outline."""

from collections.abc import Mapping, Sequence
from random import Random

from typing_extensions import override

from cardhub import (
    BreakdownSection,
    Card,
    Frequency,
    Game,
    Goal,
    Names,
    PlayedStep,
    Scene,
    Seats,
    Summary,
    left_of,
)
from cardhub_gargon import battle, laying
from cardhub_gargon.display import consequences, event_texts, habits, reasons, scene, score_sheet
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.strategy import evaluation, playout
from cardhub_gargon.table import ACTIONS, CARDS, FIGHTING, LAYING, OPTIONS, PHASES, Table

HAND = 10

VERB_AND_INDEX = ACTIONS.verb_and_index  # read for every action


class Gargon(Game[Table]):
    """Magicians pit creatures against each other for the amulets they wear."""

    name = "gargon"
    title = "Gargon"
    tagline = "battles of colours"
    minutes = 25
    version = "1"
    seats = Seats(3, 5, default=4)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    needs_confirmation, primary = ("pass",), ("done",)
    goal = Goal.WIN
    playout_depth = 20
    state_type = Table

    @override
    def deal(self, state: Table) -> None:
        """Deal ten cards to each seat; split the rest into two equal stacks."""
        for seat in range(state.seats):
            state.put_all(range(seat * HAND, (seat + 1) * HAND), state.hand, seat)
        # Tokens are numbered after shuffling, so any range of them is a random one.
        first, cards = state.seats * HAND, len(state.face)
        middle = (first + cards) // 2
        state.put_all(range(first, middle), state.stacks, 0)
        state.put_all(range(middle, cards), state.stacks, 1)
        laying.begin_laying(state, state.settings.number("start"))

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == LAYING:
            return laying.legal_laying(state)
        if state.phase == FIGHTING:
            return battle.legal_fights(state)
        return battle.legal_draws(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = VERB_AND_INDEX[action]
        match verb:
            case "lay":
                laying.lay(state, index)
                if laying.is_set_complete(state):
                    self._end_turn(state)
            case "done":
                self._end_turn(state)
            case "pass":
                laying.draw_split(state, index)
                self._end_turn(state)
            case "fight":
                battle.fight(state, index)
            case "take":
                battle.draw(state, index)

    @override
    def scores(self, state: Table) -> list[int]:
        return total_scores(state)

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        if state.phase == LAYING:
            return playout.lay_or_pass(state, rng)
        return self.random_action(state, rng)

    @override
    def evaluate(self, state: Table) -> list[float]:
        return evaluation.evaluate(state)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return scene.table(state, viewer)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return event_texts.describe(before, action, after, names)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return reasons.why_not(state, action)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        return consequences.consequence(state, action, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        return score_sheet.breakdown(state)

    @override
    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> Mapping[str, Frequency]:
        return habits.habits(steps, seat)

    @override
    def chapter(self, state: Table) -> str:
        return f"round {state.round}"

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return event_texts.summarize(before, after, names)

    @override
    def detail(self, card: Card) -> str:
        """Return the amulets of a card; a zero doubles the amulets of its colour."""
        if card.fields["value"] == 0:
            return "×2"
        return f"{card.fields['amulets']}●" if card.fields["amulets"] else ""

    def _end_turn(self, state: Table) -> None:
        """Pass the turn to the next seat, or start the battles after the last seat."""
        # The leader's whole set is the mix, so it is known only at the end of that turn.
        if state.seat == state.leader:
            laying.fix_mix(state)
        seat = left_of(state.seat, state.seats)
        if seat == state.leader:
            battle.begin_battles(state)
        else:
            state.seat = seat
