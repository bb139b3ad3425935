"""Big Two: its declaration and its rules in outline."""

from typing_extensions import override

from big_two import turns
from big_two.table import ACTIONS, CARDS, DEAL, OPTIONS, STRENGTH, Table
from cardhub import CHANCE, Game, Goal, Seats, Settings, Usual


class BigTwo(Game[Table]):
    """Be the first without cards, by singles, pairs, threes and hands of five cards."""

    name, title, seats = "big_two", "Big Two", Seats(3, 4, 4)
    cards, actions, options = CARDS, ACTIONS, OPTIONS
    goal, state_type = Goal.SCORE, Table
    score_range = Usual(-50, 50)
    heuristics_type = ".heuristics:BigTwoHeuristics"
    display_type = ".display:BigTwoDisplay"

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return all cards, but with three players not the lowest."""
        return [face for face in CARDS.all_copies() if STRENGTH[face] >= 4 - seats]

    @override
    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as in every later deal."""
        state.points = [0] * state.seats
        state.put_all(range(len(state.face)), state.stack)
        state.seat = CHANCE

    @override
    def legal(self, state: Table) -> list[int]:
        return [DEAL] if state.seat == CHANCE else turns.legal(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, token = ACTIONS.verb_and_index[action]
        match verb:
            case "deal":
                turns.deal_hands(state)
            case "choose":
                turns.choose(state, token)
            case "play":
                turns.play(state)
            case "pass":
                turns.decline(state)

    @override
    def scores(self, state: Table) -> list[int]:
        return state.points[:]

    @override
    def possible(self, state: Table, token: int) -> int:
        """Before the first play, exactly its leader can have the lowest card."""
        if not state.is_first or token in state.hand[state.lead]:
            return -1
        return -1 if token in state.chosen[state.lead] else ~(1 << turns.lowest_face(state.seats))

    @override
    def plausible(self, state: Table) -> bool:
        """Return whether the cards of the seat to act can complete the chosen ones to a play."""
        return state.seat < 0 or not state.chosen[state.seat] or turns.can_finish(state)
