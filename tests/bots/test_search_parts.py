"""The parts of a search: keys of information sets, selection and values."""

from random import Random
from typing import Any

import pytest

from cardhub.bots.search.infosets import (
    ActionKeys,
    Edge,
    EdgeSelector,
    FirstInfoSets,
    InfoSet,
    Views,
)
from cardhub.bots.search.search_budget import CLOCK_INTERVAL, SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import DeterminizationSampler, Playout
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


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


def leduc() -> Referee[Any]:
    """Return a game of Leduc poker with its cards dealt."""
    players = [Player(f"player {seat}", "bot") for seat in range(2)]
    referee = set_up(REGISTRY.game("leduc"), players, {}, 1)
    referee.proceed()
    return referee


def rank(face: int) -> int:
    """Return the rank of a face of Leduc poker."""
    return face // 2


def test_an_action_on_a_card_that_the_seat_has_seen_has_the_key_of_its_face() -> None:
    keys_of, keys = ActionKeys(REGISTRY.game("gargon")), []
    for state in determinizations(2):
        state.seat = 1
        hand = sorted(state.hand[1], key=lambda token: state.face[token])
        keys.append({state.face[token]: keys_of.edge_key(state, token) for token in hand})
    shared = keys[0].keys() & keys[1].keys()
    assert shared
    assert all(keys[0][face] == keys[1][face] for face in shared)
    assert len({*keys[0].values()}) == len(keys[0])


def test_an_action_on_an_unseen_card_has_the_key_of_its_token() -> None:
    """The key does not depend on the face in the determinization."""
    keys, (state, other) = ActionKeys(REGISTRY.game("gargon")), determinizations(2)
    (token,) = state.stacks[0][-1:]
    assert keys.edge_key(state, token) == keys.edge_key(other, token) == token


def test_rivals_do_not_tell_apart_cards_laid_face_down() -> None:
    keys, firsts = ActionKeys(REGISTRY.game("gargon")), [InfoSet() for _ in range(3)]
    state = determinizations(1)[0]
    red = [token for token in state.hand[0] if state.back[token] == state.back[state.hand[0][0]]]
    seen = []
    for token in red[:2]:
        views = Views(firsts[:], state.seen)
        keys.step(state.clone(), token, views, Random(1))
        seen.append(views.nodes)
    (node, *others), (other_node, *others_too) = seen
    assert node is not other_node
    assert all(rival is other_rival for rival, other_rival in zip(others, others_too, strict=True))


def test_a_card_that_is_turned_up_leads_every_seat_to_another_information_set() -> None:
    """In Leduc poker two checks turn up the shared card; suits do not count."""
    keys, firsts, rng = ActionKeys(REGISTRY.game("leduc")), [InfoSet(), InfoSet()], Random(1)
    reached: dict[int, list[InfoSet]] = {}
    for _ in range(20):
        state = leduc().observe(0).determinize(rng)
        views = Views(firsts[:], state.seen[:])
        for _ in range(2):
            keys.step(state, 1, views, rng)
        expected = reached.setdefault(rank(state.face[state.board[0]]), views.nodes)
        assert all(
            node is expected_node for node, expected_node in zip(views.nodes, expected, strict=True)
        )
    assert len({id(nodes[seat]) for nodes in reached.values() for seat in (0, 1)}) == 2 * 3


def test_the_end_of_a_game_is_no_information_set() -> None:
    keys, rng = ActionKeys(REGISTRY.game("leduc")), Random(1)
    state = leduc().observe(0).determinize(rng)
    views = Views([InfoSet(), InfoSet()], state.seen[:])
    for _ in range(3):
        keys.step(state, 1, views, rng)
    last = views.nodes[:]
    keys.step(state, 1, views, rng)
    assert state.seat == OVER
    assert views.nodes == last
    assert not any(node.children for node in last)


def test_rivals_begin_in_information_sets_of_their_cards() -> None:
    """Leduc: one for each rank that the rival may have; the searching seat has the root."""
    observation, root, rng = leduc().observe(0), InfoSet(), Random(1)
    classes = ActionKeys(observation.game).classes
    firsts = FirstInfoSets(observation.state, 0, root, classes)
    by_rank: dict[int, InfoSet] = {}
    for _ in range(40):
        state = observation.determinize(rng)
        node, other = firsts.of(state).nodes
        assert node is root
        assert by_rank.setdefault(rank(state.face[state.hand[1][0]]), other) is other
    assert len({id(infoset) for infoset in by_rank.values()}) == len(by_rank) == 3


def test_an_edge_that_is_available_and_not_selected_gains_exploration() -> None:
    state, infoset = leduc().observe(0).state, InfoSet()
    for action in (1, 2):
        edge = Edge(action, 0)
        infoset.add(action, edge)
        edge.visits, edge.standardized = 10, 5.0
    infoset.edges[1].available = 1000
    infoset.edges[2].available = 11
    selected = EdgeSelector(REGISTRY.game("leduc"), Random(1), 0).select(state, infoset)
    assert selected == (infoset.edges[1], 1)


def test_the_number_of_edges_grows_with_the_root_of_the_visits() -> None:
    """The game's preferred action comes first."""
    game, infoset = REGISTRY.game("hearts"), InfoSet()
    players = [Player(f"player {seat}", "bot") for seat in range(4)]
    referee = set_up(game, players, {}, 1)
    referee.proceed()
    state = referee.observe(0).state
    selector, order, counts = EdgeSelector(game, Random(2), 0), [], []
    for _ in range(400):
        edge, action = selector.select(state, infoset)
        edge.visits += 1
        edge.standardized += 0.5
        order.append(action)
        counts.append(len(infoset.edges))
    assert order[0] == game.heuristics.playout_action(state, Random(2))
    assert counts[3] < 5 < counts[24] < 10 < counts[399] <= 13


def test_few_actions_all_get_an_edge_soon() -> None:
    """Each action is tried once, then by its mean value."""
    state, infoset = leduc().observe(0).state, InfoSet()
    selector = EdgeSelector(REGISTRY.game("leduc"), Random(2), 0)
    for _ in range(20):
        edge, action = selector.select(state, infoset)
        edge.visits += 1
        edge.standardized += action == 1
    assert sorted(infoset.edges) == [1, 2]
    assert max(infoset.edges.values(), key=lambda edge: edge.visits).action == 1


def test_flat_search_selects_the_least_visited_edge() -> None:
    state, infoset = leduc().observe(0).state, InfoSet()
    selector, order = EdgeSelector(REGISTRY.game("leduc"), Random(2), 0), []
    for _ in range(6):
        edge, action = selector.least_visited(state, infoset)
        edge.visits += 1
        order.append(action)
    assert order == [1, 2, 1, 2, 1, 2]


def test_a_budget_is_spent_in_blocks_until_it_is_stopped() -> None:
    assert [*SearchBudget(70).begin().spend_blocks(32)] == [32, 32, 6]
    use = SearchBudget(70).begin()
    blocks = use.spend_blocks(32)
    assert next(blocks) == 32
    use.stop()
    assert [*blocks] == []
    assert next(SearchBudget(1, 1000).begin().spend_blocks(32)) == CLOCK_INTERVAL


@pytest.mark.interpreted("it replaces a constant")
def test_a_tree_is_discarded_when_it_has_become_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of own information sets counts that were ever added to it."""
    referee, rng, game = leduc(), Random(3), REGISTRY.game("leduc")
    before = referee.observe(0)
    sampler = DeterminizationSampler(before, rng)
    for action in (1, 2):
        referee.apply(action)
    now, kept = referee.observe(0), []
    for most in (2, 10_000):
        monkeypatch.setattr("cardhub.bots.search.search_tree.MOST", most)
        tree = SearchTree(before, rng, Playout(game, rng))
        for _ in range(200):
            tree.iterate(sampler.draw())
        kept.append(tree.advance_root(sampler.draw(), now.history[len(before.history) :], now))
    assert kept == [False, True]


def test_an_observation_is_all_a_search_starts_from() -> None:
    """Two true states that a seat cannot distinguish give the same advice."""
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
    Playout(game, Random(2)).play(state)
    laid = sum(map(len, state.pile))
    assert laid == cards if seats == 1 else laid >= cards
    assert len(state.stack) > 60


@pytest.mark.parametrize(("name", "is_to_the_end"), [("leduc", True), ("garner", False)])
def test_mean_values_are_those_of_copies_that_are_played_on(name: str, is_to_the_end: bool) -> None:
    """The scores at the end, or the evaluation at the playout depth; the state stays as it was."""
    game, players = REGISTRY.game(name), [Player(f"player {seat}", "bot") for seat in (0, 1)]
    referee = set_up(game, players, {}, 1)
    referee.proceed()
    state = referee.observe(0).determinize(Random(1))
    before, by_hand = state.clone(), Playout(game, Random(2))
    copies = [state.clone() for _ in range(3)]
    for copy in copies:
        by_hand.play(copy)
    values = [
        game.scores(copy) if copy.seat == OVER else game.heuristics.evaluate(copy)
        for copy in copies
    ]
    means = [sum(of_seat) / 3 for of_seat in zip(*values, strict=True)]
    assert any(means)
    assert Playout(game, Random(2)).mean_values(state, 3) == pytest.approx(means)
    assert state == before
    assert all((copy.seat == OVER) == is_to_the_end for copy in copies)


def test_a_playout_ends_where_the_game_says() -> None:
    """Hearts of several hands: with the first hand, before the next one is dealt."""
    game, rng = REGISTRY.game("hearts"), Random(5)
    players = [Player(f"player {seat}", "bot") for seat in range(4)]
    referee = set_up(game, players, {"hands": 3}, 1)
    referee.proceed()
    for _ in range(10):
        state = referee.observe(referee.seat).determinize(rng)
        Playout(game, rng).play(state)
        assert (state.seat, state.number) == (CHANCE, 1)
