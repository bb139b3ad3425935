"""The parts of a search: keys of information sets, selection and values."""

from random import Random
from typing import Any

import pytest

from cardhub.bots.search.infoset_keys import InfosetKeys
from cardhub.bots.search.selection import (
    Edge,
    InfoSet,
    add_edge,
    least_visited,
    select,
)
from cardhub.bots.search.simulation import quick_playout
from cardhub.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.table.state import CHANCE

REGISTRY = find_plugins()
ACTIONS = [(0, 0), (1, 1), (2, 2)]


def gargon() -> Referee[Any]:
    """Return a game for three with its cards dealt."""
    players = [Player(f"player {seat}", "bot") for seat in range(3)]
    referee = set_up(REGISTRY.game("gargon"), players, {}, 1)
    referee.proceed()
    return referee


def determinizations(count: int) -> list[Any]:
    """Return determinizations of seat 0's observation."""
    rng = Random(4)
    return [gargon().observe(0).determinize(rng) for _ in range(count)]


def test_an_action_on_a_card_that_the_seat_has_seen_has_the_key_of_its_face() -> None:
    """In two determinizations the same face has other tokens and the same edge."""
    game = REGISTRY.game("gargon")
    infosets, keys = InfosetKeys(game), []
    for state in determinizations(2):
        state.seat = 1
        hand = sorted(state.hand[1], key=lambda token: state.face[token])
        keys.append({state.face[token]: infosets.edge_key(state, token) for token in hand})
    shared = keys[0].keys() & keys[1].keys()
    assert shared
    assert all(keys[0][face] == keys[1][face] for face in shared)
    assert len({*keys[0].values()}) == len(keys[0])


def test_an_action_on_an_unseen_card_has_the_key_of_its_token() -> None:
    """Its face in the determinization makes no difference."""
    game, (state, other) = REGISTRY.game("gargon"), determinizations(2)
    infosets, (token,) = InfosetKeys(game), state.stacks[0][-1:]
    assert infosets.edge_key(state, token) == infosets.edge_key(other, token) == token


def test_rivals_keys_do_not_depend_on_a_card_laid_face_down() -> None:
    """InfosetKeys after laying a red card face down agree for all but its owner."""
    game, infosets = REGISTRY.game("gargon"), InfosetKeys(REGISTRY.game("gargon"))
    state = determinizations(1)[0]
    red = [token for token in state.hand[0] if state.back[token] == state.back[state.hand[0][0]]]
    seen = []
    for token in red[:2]:
        copy = state.clone()
        now = infosets.begin(copy)
        infosets.apply(game, copy, token, now, Random(1))
        seen.append(now)
    (own, *others), (own_too, *others_too) = seen
    assert own != own_too
    assert others == others_too


def test_an_edge_that_is_available_and_not_selected_gains_exploration() -> None:
    """Only determinizations in which the action was legal count."""
    edges: InfoSet = {key: Edge(key) for key in (1, 2)}
    for edge in edges.values():
        edge.visits, edge.total = 10, 5.0
    edges[1].available = 1000
    edges[2].available = 11
    assert select(edges, [(1, 1), (2, 2)]) == (edges[1], 1)


def test_the_number_of_edges_grows_with_the_root_of_the_visits() -> None:
    """The usual action first; any other where that is known."""
    edges: InfoSet = {}
    actions = [(key, key) for key in range(50)]
    order, known = [], []
    for _ in range(400):
        found = select(edges, actions) or add_edge(edges, actions, 7, Random(2))
        edge, action = found
        edge.visits += 1
        edge.standardized += 0.5
        order.append(action)
        known.append(len(edges))
    assert order[0] == 7
    assert known[3] < 5 < known[24] < 10 < known[399] <= 31


def test_few_actions_all_get_an_edge_soon() -> None:
    """Each once, then by its mean value."""
    edges: InfoSet = {}
    for _ in range(20):
        edge, action = select(edges, ACTIONS) or add_edge(edges, ACTIONS, 0, Random(2))
        edge.visits += 1
        edge.standardized += action == 1
    assert sorted(edges) == [0, 1, 2]
    assert max(edges.values(), key=lambda edge: edge.visits).action == 1


def test_flat_search_selects_the_least_visited_edge() -> None:
    """The first of equals."""
    edges: InfoSet = {}
    order = []
    for _ in range(6):
        edge, action = least_visited(edges, [(7, 0), (8, 1), (9, 2)])
        edge.visits += 1
        order.append(action)
    assert order == [0, 1, 2, 0, 1, 2]


def test_an_observation_is_all_a_search_starts_from() -> None:
    """Two true states that a seat cannot tell apart give the same advice."""
    observation = gargon().observe(0)
    bots = [REGISTRY.make_bot("ismcts:40", "gargon", Random(3)) for _ in range(3)]
    rng = Random(9)
    views = [observation, *(observation.determinize(rng) for _ in range(2))]
    states = [view if isinstance(view, Observation) else again(view) for view in views]
    answers = {bot.choose(state) for bot, state in zip(bots, states, strict=True)}
    assert len(answers) == 1


def again(state: Any) -> Observation[Any]:
    """Return seat 0's observation of a state."""
    return Observation(REGISTRY.game("gargon"), state, 0)


@pytest.mark.parametrize(("seats", "cards"), [(1, 1), (2, 4)])
def test_the_depth_of_a_playout_counts_turns_or_actions_of_a_player_alone(
    seats: int, cards: int
) -> None:
    """Two turns of Four piles lay four cards at least; two actions alone lay one card."""
    game = REGISTRY.game("four_piles")
    players = [Player(f"player {seat}", "bot") for seat in range(seats)]
    referee = set_up(game, players, {}, 1)
    referee.proceed()
    state = referee.observe(0).determinize(Random(1))
    quick_playout(game, Random(2))(state)
    laid = sum(map(len, state.pile))
    assert laid == cards if seats == 1 else laid >= cards
    assert len(state.stack) > 60


def test_a_playout_ends_where_the_game_says() -> None:
    """Hearts of several hands: with the first hand, before the next one is dealt."""
    game, rng = REGISTRY.game("hearts"), Random(5)
    players = [Player(f"player {seat}", "bot") for seat in range(4)]
    referee = set_up(game, players, {"hands": 3}, 1)
    referee.proceed()
    for _ in range(10):
        state = referee.observe(referee.seat).determinize(rng)
        quick_playout(game, rng)(state)
        assert (state.seat, state.number) == (CHANCE, 1)
