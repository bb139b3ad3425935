"""Search where several seats choose at the same time: nobody answers a choice that is secret."""

from random import Random
from typing import Any

import pytest
from tests.games.throws import EQUILIBRIUM, PAPER, POINTS, ROCK, SCISSORS, Throws

from cardhub import OVER, Game, Observation
from cardhub.bots.search.infosets import InfoSet, Views, action_keys
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.solving.sequence_form import exploit, sequence_form, solve
from cardhub.testing import initial_state, resolve_options
from goofspiel import Goofspiel
from goofspiel.game import VALUE, Table

THROWS, GOOFSPIEL = Throws(), Goofspiel()


def begin(game: Game[Any], **options: Any) -> Any:
    """Return a deal for two."""
    settings = resolve_options(game, options, 2)
    return initial_state(game, settings, 2, game.pack(settings, 2))


def frequencies(observation: Observation[Any], iterations: int, seed: int = 1) -> dict[int, float]:
    """Return how often a search would take each action."""
    bot = SearchBot(Random(seed), budget=SearchBudget(iterations, 0))
    weights = bot.weights(observation)
    total: int = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}


def test_visits_of_a_round_leave_out_those_that_explored() -> None:
    observation = Observation(THROWS, begin(THROWS), 0)
    bots = [SearchBot(Random(1), budget=SearchBudget(100, 0)) for _ in range(2)]
    visits = bots[0].visits(observation)
    assert visits == bots[1].weights(observation)
    assert 0 < sum(visits.values()) < 100


def gain_against(chances: dict[int, float]) -> float:
    """Return the most points that an answer to these throws gains."""
    answers = (ROCK, PAPER, SCISSORS)
    return max(sum(chances.get(a, 0) * POINTS[b][a] for a in answers) for b in answers)


def test_the_solved_frequencies_are_the_equilibrium() -> None:
    solution = solve(sequence_form(THROWS, 2, resolve_options(THROWS, {}, 2)), 1000)
    assert [len(plex.actions) for plex in solution.form.treeplexes] == [1, 1]
    assert exploit(solution.form, solution.strategies).exploitability < 0.01
    chances = solution.policy(Observation(THROWS, begin(THROWS), 1))
    assert [chances[a] for a in (ROCK, PAPER, SCISSORS)] == pytest.approx(EQUILIBRIUM, abs=0.01)


@pytest.mark.parametrize("chosen", [None, ROCK, PAPER, SCISSORS])
def test_a_search_approaches_the_equilibrium_whatever_the_other_seat_has_chosen(
    chosen: int | None,
) -> None:
    state = begin(THROWS)
    if chosen is not None:
        THROWS.apply(state, chosen)
    seat = 0 if chosen is None else 1
    chances = frequencies(Observation(THROWS, state, seat), 3000)
    assert gain_against(chances) < 0.15
    assert [chances[a] for a in (ROCK, PAPER, SCISSORS)] == pytest.approx(EQUILIBRIUM, abs=0.08)


def test_a_search_expects_neither_more_nor_less_than_the_value_of_the_game() -> None:
    bot = SearchBot(Random(1), budget=SearchBudget(3000, 0))
    rated = bot.advise(Observation(THROWS, begin(THROWS), 1))
    visits: int = sum(r.visits for r in rated)
    assert sum(r.visits * r.value for r in rated) / visits == pytest.approx(0, abs=0.05)


def test_information_sets_move_on_after_the_last_choice_only() -> None:
    keys, state = action_keys(GOOFSPIEL), begin(GOOFSPIEL, cards=3)
    nodes = [InfoSet(), InfoSet()]
    views = Views(nodes[:], state.seen[:])
    for bid in (state.hand[0][0], state.hand[1][0]):
        assert views.nodes == nodes
        assert all(not node.children for node in nodes)
        keys.step(state, bid, views, Random(0))
    assert all(len(node.children) == 1 for node in nodes)


class Margin:
    """The mean margin of the first seat in Goofspiel, for policies by values of the cards."""

    def __init__(self, iterations: int) -> None:
        self._iterations = iterations
        self._chances: dict[tuple[int, str], dict[int, float]] = {}

    def policy(self, state: Table, seat: int) -> dict[int, float]:
        """Return the chance of each bid by a search of this seat."""
        if len(state.hand[seat]) == 1:
            return {state.hand[seat][0]: 1.0}
        key = seat, str((state.spent, state.offered))
        if key not in self._chances:
            seen = Observation(GOOFSPIEL, state, seat)
            self._chances[key] = frequencies(seen, self._iterations)
        return self._chances[key]

    def best(self, state: Table, seat: int) -> float:
        """Return the mean margin of a seat that answers the other seat's policy best."""
        if state.seat == OVER:
            scores = GOOFSPIEL.scores(state)
            return float(scores[seat] > scores[1 - seat]) - float(scores[seat] < scores[1 - seat])
        others = self.policy(state, 1 - seat)
        return max(
            sum(
                chance * self.best(both_bid(state, {seat: own, 1 - seat: other}), seat)
                for other, chance in others.items()
            )
            for own in state.hand[seat]
        )


def both_bid(state: Table, bids: dict[int, int]) -> Table:
    """Return the state after both bids."""
    after = state.clone()
    for seat in (0, 1):
        GOOFSPIEL.apply(after, bids[seat])
    return after


def test_nobody_gains_much_against_searches_of_goofspiel_with_three_cards() -> None:
    """The game is fair; against uniform bids the best answer wins two games in three net."""
    state, margin = begin(GOOFSPIEL, cards=3, order="descending"), Margin(300)
    assert all(margin.best(state, seat) < 0.35 for seat in (0, 1))


def test_the_best_first_bid_for_the_highest_prize_is_the_highest_card() -> None:
    state: Table = begin(GOOFSPIEL, cards=3, order="descending")
    chances = frequencies(Observation(GOOFSPIEL, state, 1), 1000)
    best = max(chances, key=chances.__getitem__)
    assert (VALUE[state.face[best]], chances[best] > 0.7) == (3, True)
