"""What a search is made of."""

from random import Random
from typing import Any

import pytest

from cardhub.bots.search.infoset_keys import InfosetKeys
from cardhub.bots.search.tree import Edge, InfoSet, explore, take_turns, widen
from cardhub.bots.search.values import Appeal, Values
from cardhub.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
OFFERS = [(0, 0), (1, 1), (2, 2)]


def gargon() -> Referee[Any]:
    """Return a game for three with its cards dealt."""
    players = [Player(f"player {seat}", "bot") for seat in range(3)]
    referee = set_up(REGISTRY.game("gargon"), players, {}, 1)
    referee.proceed()
    return referee


def worlds(count: int) -> list[Any]:
    """Return states that could be the case, as far as seat 0 knows."""
    rng = Random(4)
    return [gargon().observe(0).determinize(rng) for _ in range(count)]


def test_a_card_the_chooser_knows_is_chosen_by_its_face() -> None:
    """In two worlds the same face lies on other tokens, and is the same choice."""
    game = REGISTRY.game("gargon")
    views, keys = InfosetKeys(game), []
    for world in worlds(2):
        world.seat = 1
        hand = sorted(world.hand[1], key=lambda token: world.face[token])
        keys.append({world.face[token]: views.key(world, token) for token in hand})
    shared = keys[0].keys() & keys[1].keys()
    assert shared
    assert all(keys[0][face] == keys[1][face] for face in shared)
    assert len({*keys[0].values()}) == len(keys[0])


def test_a_card_the_chooser_does_not_know_is_chosen_by_where_it_lies() -> None:
    """Its face, which the world knows, makes no difference."""
    game, (world, other) = REGISTRY.game("gargon"), worlds(2)
    views, (token,) = InfosetKeys(game), world.stacks[0][-1:]
    assert views.key(world, token) == views.key(other, token) == token


def test_nobody_sees_which_card_another_lays() -> None:
    """InfosetKeys after laying a red card face down agree for all but its owner."""
    game, views = REGISTRY.game("gargon"), InfosetKeys(REGISTRY.game("gargon"))
    state = worlds(1)[0]
    red = [token for token in state.hand[0] if state.back[token] == state.back[state.hand[0][0]]]
    seen = []
    for token in red[:2]:
        world = state.clone()
        now = views.begin(world)
        views.act(game, world, token, now, Random(1))
        seen.append(now)
    (own, *others), (own_too, *others_too) = seen
    assert own != own_too
    assert others == others_too


def test_what_is_available_and_not_chosen_gains_appeal() -> None:
    """Counting worlds in which an action was legal, not all worlds."""
    edges: InfoSet = {key: Edge(key) for key in (1, 2)}
    for edge in edges.values():
        edge.visits, edge.total = 10, 5.0
    edges[1].available = 1000
    edges[2].available = 11
    assert explore(edges, [(1, 1), (2, 2)]) == (edges[1], 1)


def test_more_is_tried_as_the_visits_bear_it() -> None:
    """The usual action first; any other where that is known."""
    edges: InfoSet = {}
    offers = [(key, key) for key in range(50)]
    order, known = [], []
    for _ in range(400):
        found = explore(edges, offers) or widen(edges, offers, 7, Random(2))
        edge, action = found
        edge.visits += 1
        edge.appeal += 0.5
        order.append(action)
        known.append(len(edges))
    assert order[0] == 7
    assert known[3] < 5 < known[24] < 10 < known[399] <= 31


def test_every_choice_is_tried_before_long_where_there_are_few() -> None:
    """Each once, then by what came of it."""
    edges: InfoSet = {}
    for _ in range(20):
        edge, action = explore(edges, OFFERS) or widen(edges, OFFERS, 0, Random(2))
        edge.visits += 1
        edge.appeal += action == 1
    assert sorted(edges) == [0, 1, 2]
    assert max(edges.values(), key=lambda edge: edge.visits).action == 1


def test_taking_turns_starts_with_the_least_tried() -> None:
    """The first of equals."""
    edges: InfoSet = {}
    order = []
    for _ in range(6):
        edge, action = take_turns(edges, [(7, 0), (8, 1), (9, 2)])
        edge.visits += 1
        order.append(action)
    assert order == [0, 1, 2, 0, 1, 2]


def test_half_of_a_value_is_for_winning() -> None:
    """The other half is for the margin to the best of the others."""
    winner, loser = Values(lowest_wins=False).of([10, 0], [10, 0])
    assert winner > 0.75
    assert winner + loser == pytest.approx(1)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_winners_share_the_half_that_is_for_winning(seats: int) -> None:
    """All level: half of the margin's half, and a share of the other."""
    level = [4] * seats
    assert Values(lowest_wins=False).of(level, level) == pytest.approx([0.25 + 0.5 / seats] * seats)


def test_appeal_is_stretched_to_where_values_differ() -> None:
    """Values near one another are told apart as well as values far apart."""
    rng, near, far = Random(1), Appeal(1), Appeal(1)
    for _ in range(500):
        value = rng.random()
        found = [near.of([0.5 + value / 10])[0], far.of([value])[0]]
    assert found[0] == pytest.approx(found[1], abs=0.1)


def test_the_lowest_score_is_best_where_the_lowest_wins() -> None:
    """Hearts: whoever has fewest points."""
    low, high = Values(lowest_wins=True).of([1, 20], [1, 20])
    assert low > 0.5 > high


def test_before_the_end_the_margin_is_all() -> None:
    """Nobody has won yet."""
    ahead, behind = Values(lowest_wins=False).of([3.5, 3.0], None)
    assert 0.5 < ahead < 0.8
    assert ahead + behind == pytest.approx(1)


def test_an_observation_is_all_a_search_starts_from() -> None:
    """Two true states that a seat cannot tell apart give the same advice."""
    observation = gargon().observe(0)
    bots = [REGISTRY.make_bot("ismcts:40", "gargon", Random(3)) for _ in range(3)]
    rng = Random(9)
    views = [observation, *(observation.determinize(rng) for _ in range(2))]
    states = [view if isinstance(view, Observation) else again(view) for view in views]
    answers = {bot.choose(state) for bot, state in zip(bots, states, strict=True)}
    assert len(answers) == 1


def again(world: Any) -> Observation[Any]:
    """Return what seat 0 sees of a world."""
    return Observation(REGISTRY.game("gargon"), world, 0)
