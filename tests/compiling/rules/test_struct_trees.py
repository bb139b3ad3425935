"""Search trees in C are those of Python, to the last bit of each value."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.compiling.rules.conftest import Built
from tests.compiling.rules.planted import LEAKS, Excluding, LateOverflow, Sided, Staking
from tests.compiling.rules.test_planted import OtherRandom
from tests.compiling.rules.test_playouts import GAMES, UNCACHED, use
from tests.compiling.rules.test_same_games import first_state

from cardhub.base.errors import HiddenFaceError
from cardhub.bots.search import struct_tree
from cardhub.bots.search.infosets import InfoSet
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import DeterminizationSampler, Playout
from cardhub.bots.search.struct_tree import StructTree, why_no_tree
from cardhub.bots.search.workers.tree_exchange import TreeExchange
from cardhub.compiling.rules import rules_build
from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import advance, pass_chance, random_step
from cardhub.model.hidden.determinize import FaceSampler
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.state import OVER
from cardhub.plugins.registry import find_plugins
from kuhn.game import Kuhn

# How many decisions of a game, how many iterations each, and the seeds of the games.
SMALL = {"kuhn": (9, 150, range(4)), "leduc": (9, 90, range(4)), "pig": (9, 40, range(2))}
SIZES = {name: (3, 14, range(1)) for name in GAMES} | SMALL
SIZES |= {
    "goofspiel": (12, 40, range(2)),
    "nosegay": (8, 30, range(2)),
    "hearts": (4, 30, range(1)),
}
SIZES |= {
    "holdem": (9, 200, range(2)),
    "klondike": (3, 14, range(1)),
    "doppelkopf": (3, 10, range(1)),
}


@contextmanager
def rules(module: Any) -> Iterator[None]:
    """Let searches use a module with rules in C, or with None only Python."""
    with pytest.MonkeyPatch.context() as patch:
        use(module, patch)
        patch.setattr(struct_tree, "rules_in_c", UNCACHED)
        yield


def content(infoset: InfoSet) -> tuple[Any, ...]:
    """Return all that is below an information set, in the order in which it was added."""
    edges = [
        (key, *(getattr(edge, name) for name in edge.__slots__))
        for key, edge in infoset.edges.items()
    ]
    return edges, infoset.priors, [(key, content(c)) for key, c in infoset.children.items()]


def decisions(
    game: Game[Any], module: Any, seed: int, iterations: int, most: int
) -> list[tuple[Any, bool]]:
    """Play a game by search up to `most` searches.

    Return what each search came to, and whether its tree is in C.
    """
    results: list[tuple[Any, bool]] = []
    chance = Random(seed)
    state = first_state(game, chance)
    bots = [
        SearchBot(Random(seed + seat), budget=SearchBudget(iterations))
        for seat in range(state.seats)
    ]
    history: list[Step] = []
    with rules(module):
        pass_chance(game, state, chance)
        while state.seat != OVER and len(results) < most:
            bot = bots[state.seat]
            observation = Observation(game, state, state.seat, history)
            action = bot.choose(observation)
            tree = bot._tree
            if tree is not None:
                sets = [content(root) for root in tree.in_python(observation).roots()]
                result = (action, bot._rng.getstate(), sets, averages(tree))
                results.append((result, is_in_c(tree)))
            history.append(Step(state.seat, action))
            advance(game, state, action, chance)
            pass_chance(game, state, chance)
    return results


def is_in_c(tree: SearchTree[Any]) -> bool:
    """Return whether a tree is in C."""
    return isinstance(tree, StructTree) and tree.is_in_c


def averages(tree: SearchTree[Any]) -> tuple[Any, ...]:
    """Return the running averages of a tree."""
    if isinstance(tree, StructTree) and tree.is_in_c:
        return tuple(tree._in_c.averages())
    return (*tree._values.margins(), *tree._standardizer.averages())


@pytest.mark.parametrize("name", SIZES)
def test_trees_in_c_are_those_of_python(name: str, built: Built) -> None:
    game = find_plugins([]).game(name)
    most, iterations, seeds = SIZES[name]
    for seed in seeds:
        results = decisions(game, built(game), seed, iterations, most)
        expected = decisions(game, None, seed, iterations, most)
        assert [result for result, _ in results] == [result for result, _ in expected]
        assert results
        # Nothing is given back unnoticed.
        assert all(was_in_c for _, was_in_c in results)


def test_amounts_without_heuristics_are_tried_like_in_python(built: Built) -> None:
    game: Game[Any] = Staking()
    for seed in range(3):
        results = decisions(game, built(game), seed, 300, 2)
        assert [result for result, _ in results] == [
            result for result, _ in decisions(game, None, seed, 300, 2)
        ]
        assert all(was_in_c for _, was_in_c in results)


@pytest.mark.parametrize("name", ["excluding", "gamon", "hearts", "doppelkopf", "big_two"])
def test_faces_that_rules_exclude_are_drawn_like_in_python(name: str, built: Built) -> None:
    game: Game[Any] = Excluding() if name == "excluding" else find_plugins([]).game(name)
    results: list[Any] = []
    for module in (built(game), None):
        rng = Random(5)
        state = first_state(game, rng)
        for _ in range(0 if name == "excluding" else 30):
            random_step(game, state, rng)
        pass_chance(game, state, rng)
        with rules(module):
            observation = Observation(game, state, state.seat)
            sampler = DeterminizationSampler(observation, rng)
            tree = new_tree(observation, rng)
            tree.search(sampler, 40)
            assert is_in_c(tree) == (module is not None)
            assert not isinstance(tree, StructTree) or tree._has_plan
            faces = observation._sampler
            assert isinstance(faces, FaceSampler)
            sets = [content(root) for root in tree.in_python(observation).roots()]
            results.append((rng.getstate(), sets, faces.drawn, faces.accepted, sampler.top))
    assert results[0] == results[1]


def test_comparisons_and_advice_are_those_of_python(built: Built) -> None:
    game, answers = find_plugins([]).game("leduc"), list[Any]()
    state = first_state(game, Random(2))
    for module in (built(game), None):
        with rules(module):
            rng = Random(5)
            bot = SearchBot(rng, budget=SearchBudget(100))
            observation = Observation(game, state, state.seat)
            legal = observation.legal()
            # Advice reads the steps that it expects in a copy of the tree.
            rated = bot.compare(observation, legal), bot.advise(observation)
            answers.append((*rated, bot.choose(observation), rng.getstate()))
    assert answers[0] == answers[1]


def test_what_is_given_back_goes_on_in_python_with_the_same_tree(built: Built) -> None:
    game: Game[Any] = LateOverflow()
    observation = Observation(game, first_state(game, Random(1)), 0)
    left_later = 0
    for seed in range(12):
        states = []
        for module in (built(game), None):
            with rules(module):
                rng = Random(seed)
                tree = new_tree(observation, rng)
                sampler = DeterminizationSampler(observation, rng)
                tree.search(sampler, 3)
                was_in_c = is_in_c(tree)
                tree.search(sampler, 60)
                left_later += was_in_c and not is_in_c(tree)
                states.append((rng.getstate(), averages(tree), *map(content, tree.roots())))
        assert states[0] == states[1]
    assert left_later


def new_tree(observation: Observation[Any], rng: Random) -> SearchTree[Any]:
    """Return the tree that a search bot makes."""
    bot = SearchBot(rng, budget=SearchBudget(1))
    return bot.tree_for(observation, [])


def test_processes_that_exchange_trees_exchange_the_same(built: Built) -> None:
    game, results = find_plugins([]).game("leduc"), []
    observation = Observation(game, first_state(game, Random(4)), 0)
    for module in (built(game), None):
        with rules(module):
            rng = Random(2)
            tree, sampler = new_tree(observation, rng), DeterminizationSampler(observation, rng)
            tree.search(sampler, 40)
            assert is_in_c(tree) == (module is not None)
            exchange = TreeExchange(tree)
            sent = [exchange.changes()]
            # The other process adds to the tree that Python has from here on.
            exchange.add(sent[0])
            tree.search(sampler, 20)
            sent.append(exchange.changes())
            assert not is_in_c(tree)
            results.append((sent, rng.getstate()))
    assert results[0] == results[1]


def test_states_that_a_seat_cannot_tell_apart_have_one_tree(built: Built) -> None:
    game, results = find_plugins([]).game("leduc"), set()
    state = first_state(game, Random(4))
    observation = Observation(game, state, state.seat)
    truths = [state, *(observation.determinize(Random(seed)) for seed in range(4))]
    assert len({tuple(truth.face) for truth in truths}) > 2
    with rules(built(game)):
        for truth in truths:
            rng = Random(6)
            seen = Observation(game, truth, state.seat)
            tree = new_tree(seen, rng)
            tree.search(DeterminizationSampler(seen, rng), 50)
            results.add(repr([content(root) for root in tree.in_python(seen).roots()]))
    assert len(results) == 1


def test_a_tree_in_c_has_no_face_that_its_seat_has_not_seen(built: Built) -> None:
    game: Game[Any] = Kuhn()
    observation = Observation(game, first_state(game, Random(4)), 0)
    with rules(built(game)):
        tree = new_tree(observation, Random(1))
        assert isinstance(tree, StructTree)
        # Without drawn faces it cannot play: the rules read a face that is not there.
        assert tree._in_c.search(50) < 50


@pytest.mark.parametrize("game", LEAKS, ids=lambda game: game.name)
def test_a_search_in_c_catches_a_planted_leak_as_in_python(game: Kuhn, built: Built) -> None:
    state, answers = first_state(game, Random(1)), []
    for module in (built(game), None):
        with rules(module):
            bot = SearchBot(Random(3), budget=SearchBudget(20))
            try:
                answers.append(bot.advise(Observation(game, state, state.seat)))
            except HiddenFaceError as error:
                answers.append(error.args[0])
    assert answers[0] == answers[1]


def test_a_build_says_which_trees_stay_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Built
) -> None:
    game: Game[Any] = Sided()
    lines: list[str] = []
    monkeypatch.setattr(rules_build, "OPTIONS", ("-O0",))
    assert rules_build.build_rules({"sided": game}, tmp_path, lines.append) == {"sided": ()}
    assert lines[-1].startswith("search tree in Python: its sides decide how scores count")
    with rules(built(game)):
        observation = Observation(game, first_state(game, Random(4)), 0)
        assert not isinstance(new_tree(observation, Random(1)), StructTree)
        assert Playout(game, Random(1)).is_in_c


def test_flat_search_and_other_generators_stay_in_python(built: Built) -> None:
    assert why_no_tree(find_plugins([]).game("hearts")) == ""
    assert why_no_tree(Sided()).startswith("its sides decide")
    game: Game[Any] = Kuhn()
    observation = Observation(game, first_state(game, Random(4)), 0)
    with rules(built(game)):
        flat = SearchBot(Random(1), budget=SearchBudget(1), is_flat=True)
        assert not isinstance(flat.tree_for(observation, []), StructTree)
        assert not isinstance(new_tree(observation, OtherRandom(1)), StructTree)


def test_methods_need_a_tree(built: Built) -> None:
    game: Game[Any] = Kuhn()
    with rules(built(game)):
        tree = new_tree(Observation(game, first_state(game, Random(4)), 0), Random(1))
    assert isinstance(tree, StructTree)
    kind = type(tree._in_c)
    keys = tree._keys.tables()
    empty = kind(keys, (0, 0, [0, 1]), (0, 0, 1, 1), Random(1))
    for call in (lambda: empty.search(1), lambda: empty.edge(0), empty.size):
        with pytest.raises(ValueError, match="reset"):
            call()
    with pytest.raises(ValueError, match="other cards"):
        kind((*keys[:4], [0], 0), (0, 0, [0, 1]), (0, 0, 1, 1), Random(1))
