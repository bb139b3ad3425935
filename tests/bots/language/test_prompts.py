"""Prompts: what a language model reads is what its seat knows, in every position."""

from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest

from cardhub.bots.language.answers import read_answer, read_name
from cardhub.bots.language.prompt import Prompt, build_prompt
from cardhub.bots.solving.game_tree import Tree, TreeNode
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.past_steps import past_steps
from cardhub.model.table.faces import BLANK, blanked
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import default_trial, play

REGISTRY = find_plugins()


def decisions(name: str) -> list[Observation[Any]]:
    """Return one observation for each information state of a small game."""
    game = REGISTRY.game(name)
    tree = Tree(game, 2, resolve_options(game, {}, 2))
    seen: dict[object, Observation[Any]] = {}
    nodes: list[TreeNode[Any]] = [tree.root]
    while nodes:
        node = nodes.pop()
        if node.due.kind == "turn":
            state = node.state
            viewers = zip(blanked(state.face), state.seen, strict=True)
            faces = [face if seen_by >> state.seat & 1 else BLANK for face, seen_by in viewers]
            # Many nodes of the tree share an information state.
            key = state.seat, node.history, *faces
            if key not in seen:
                seen[key] = Observation(game, state, state.seat, node.history)
        nodes += [node.child(step) for step, _ in node.odds] if node.due.kind != "over" else []
    return [*seen.values()]


def prompts_of(name: str, most: int = 40, **options: Any) -> list[Prompt]:
    """Return the first prompts of a random game."""
    game = REGISTRY.game(name)
    turns = (p for p in play(game, default_trial(game, game.seats.default, 0)) if p.state.seat >= 0)
    return [
        build_prompt(Observation(game, p.state, p.state.seat, p.history), **options)
        for p in islice(turns, most)
    ]


@pytest.mark.parametrize(("name", "count"), [("kuhn", 12), ("leduc", 936)])
def test_every_information_state_of_a_small_game_has_its_own_prompt(name: str, count: int) -> None:
    states = decisions(name)
    assert len({state.information_text() for state in states}) == len(states) == count
    assert len({build_prompt(state).text for state in states}) == count


def test_the_constant_part_comes_first_and_the_log_only_grows() -> None:
    game = REGISTRY.game("gamon")
    positions = [p for p in play(game, default_trial(game, 2, 1)) if p.state.seat == 0][:20]
    prompts = [build_prompt(Observation(game, p.state, 0, p.history)) for p in positions]
    assert len({prompt.constant for prompt in prompts}) == 1
    logs = [prompt.log for prompt in prompts]
    assert all(later.startswith(log) for log, later in pairwise(logs))
    assert prompts[-1].text.startswith(f"{prompts[-1].constant}\n\n{logs[-1]}")


def test_the_memory_is_the_whole_log_or_since_the_last_turn_or_nothing() -> None:
    whole, recent, none = (
        prompts_of("leduc", memory=memory)[-1] for memory in ("log", "recent", "none")
    )
    assert 0 == len(none.log) < len(recent.log) < len(whole.log)
    assert "since your last turn" in recent.log


def test_unlisted_choices_are_described_in_general_only() -> None:
    listed, unlisted = (
        prompts_of("holdem", choices=choices)[0] for choices in ("listed", "unlisted")
    )
    assert "- call" in listed.table
    assert "- call" not in unlisted.table
    assert "- raise to NUMBER" in unlisted.constant


@pytest.mark.parametrize("name", ["kuhn", "holdem", "goofspiel", "rebels", "gargon"])
def test_every_legal_name_is_read_back_as_its_action(name: str) -> None:
    for prompt in prompts_of(name, 8):
        read = {name: read_name(prompt, name).action for name in prompt.names}
        assert read == prompt.names
        assert sorted(prompt.names.values()) == sorted(prompt.observation.legal())


def test_an_amount_is_a_whole_name() -> None:
    prompt = next(p for p in prompts_of("holdem") if "raise to 37" in p.names)
    assert read_answer(prompt, "Final answer: raise to 37").action == prompt.names["raise to 37"]
    assert read_answer(prompt, "Final answer: 37").refusal == "not understood"


def test_the_past_of_an_observation_is_what_its_seat_saw() -> None:
    game = REGISTRY.game("leduc")
    positions = list(play(game, default_trial(game, 2, 3)))
    last = positions[-1]
    for seat in (0, 1):
        steps = list(past_steps(Observation(game, last.state, seat, last.history)))
        for step, position in zip(steps, positions, strict=False):
            true = Observation(game, position.state, seat, position.history)
            assert step.before.state == true.state
            assert step.before.history == true.history


def test_a_position_that_was_not_played_has_a_short_log() -> None:
    game = REGISTRY.game("kuhn")
    state = initial_state(game, resolve_options(game, {}, 2), 2, [0, 1, 2])
    prompt = build_prompt(Observation(game, state, 0))
    assert prompt.log == ""
    assert "Player 1 is to act" in prompt.table


def test_equal_observations_are_read_alike() -> None:
    game = REGISTRY.game("gargon")
    position = list(play(game, default_trial(game, 3, 2)))[80]
    observation = Observation(game, position.state, position.state.seat, position.history)
    drawn, history = observation.determinize_game(Random(5))
    other = Observation(game, drawn, observation.seat, history)
    assert build_prompt(other).text == build_prompt(observation).text
