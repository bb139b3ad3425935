"""Gin Rummy: its declaration and its rules in outline."""

from collections.abc import Sequence
from random import Random

from typing_extensions import override

from cardhub import CHANCE, OVER, BreakdownSection, Game, Goal, Names, Scene, Seats, Summary
from gin_rummy import event_texts, hints, reasons, scene, showdown, turns
from gin_rummy.cards import CARDS
from gin_rummy.table import ACTIONS, DEAL, OPTIONS, PHASES, Table


class GinRummy(Game[Table]):
    """Make melds, and knock before the other player does."""

    name, title, seats = "gin_rummy", "Gin Rummy", Seats(2)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    needs_confirmation, primary = ("knock",), ("done", "deal")
    goal, state_type = Goal.SCORE, Table
    playout_depth = 2  # longer playouts are no stronger, and slower

    @override
    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as in every later deal."""
        state.points = [0, 0]
        state.taken = state.knocker = -1
        state.put_all(range(CARDS.count), state.stock)
        state.seat = CHANCE

    @override
    def legal(self, state: Table) -> list[int]:
        if state.seat == CHANCE:
            return [DEAL]
        return turns.legal_turn(state) if state.knocker < 0 else showdown.legal_showdown(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "deal":
                turns.deal_hands(state)
            case "draw":
                turns.draw(state)
            case "take":
                turns.take(state)
            case "pass":
                turns.decline(state)
            case "discard":
                turns.discard(state, index)
            case "knock":
                turns.knock(state)
            case "meld":
                showdown.lay_meld(state, index)
            case "layoff":
                showdown.lay_off(state, index)
            case "done":
                showdown.finish(state)

    @override
    def scores(self, state: Table) -> list[int]:
        """Return the lead in points: at the end the loser pays it to the winner."""
        lead = state.points[0] - state.points[1]
        return [lead, -lead]

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        return hints.playout_action(state)

    @override
    def evaluate(self, state: Table) -> Sequence[float]:
        return hints.evaluate(state)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return scene.table(state, viewer)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return event_texts.describe(before, action, after, names)

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return event_texts.summary(before, after, names)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return None if action in self.legal(state) else reasons.reason(state, action)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        return event_texts.consequence(state, action)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        return event_texts.causes(state)

    @override
    def chapter(self, state: Table) -> str:
        return f"deal {state.number + (state.seat != OVER)}"
