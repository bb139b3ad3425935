"""Gin Rummy: its declaration and its rules in outline."""

from typing_extensions import override

from cardhub import CHANCE, Game, Goal, Seats, Usual
from gin_rummy import showdown, turns
from gin_rummy.cards import CARDS
from gin_rummy.table import ACTIONS, DEAL, OPTIONS, PHASES, Table


class GinRummy(Game[Table]):
    """Make melds, and knock before the other player does."""

    name, title, seats = "gin_rummy", "Gin Rummy", Seats(2)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    goal, state_type = Goal.SCORE, Table
    score_range = Usual("-target", "target")
    heuristics_type = ".heuristics:GinRummyHeuristics"
    display_type = ".display:GinRummyDisplay"

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
