"""Random games by rules in C, compared with Python after every action."""

from random import Random
from typing import Any

import pytest
from tests.compiling.rules.conftest import Built
from tests.compiling.rules.planted import Mixing

from cardhub.base.errors import HiddenFaceError
from cardhub.compiling.rules.struct_layout import struct_layout
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import resolve_shuffles, sample_action
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.table.rounds import count_choices
from cardhub.model.table.settings import Number, OneOf, Option, SeatNumber
from cardhub.model.table.state import CHANCE, OVER, State, fields_of
from cardhub.plugins.registry import find_plugins

# How many games: enough that all phases and options come up.
GAMES = {"kuhn": 20, "leduc": 20, "gamon": 4, "goofspiel": 6, "hearts": 3}
GAMES |= {"gargon": 3, "garner": 3, "spades": 1, "nosegay": 4, "doppelkopf": 3}
GAMES |= {"pig": 4, "four_piles": 4, "gin_rummy": 1, "klondike": 2, "orchards": 2}
GAMES |= {"big_two": 2, "holdem": 3, "roses": 4}
# What only the core reads.
OF_THE_CORE = {
    *("answers", "pending_shuffles", "recorded_answers", "settings", "shuffle_log"),
}


def some_value(option: Option, seats: int, rng: Random) -> Any:
    """Return a random value of an option; numbers are small, because games should be short."""
    if isinstance(option, SeatNumber):
        return rng.randrange(seats)
    if isinstance(option, OneOf):
        return rng.choice(option.values)
    if isinstance(option, Number):
        return rng.randint(option.low, min(option.high, option.low + 9))
    return rng.random() < 0.5


def first_state(game: Game[Any], rng: Random) -> State:
    """Return the state after a random deal with random options."""
    seats = rng.randint(game.seats.low, game.seats.high)
    given = {name: some_value(option, seats, rng) for name, option in game.options.items()}
    settings = resolve_options(game, given, seats)
    state: State = initial_state(game, settings, seats, shuffled_pack(game, settings, seats, rng))
    return state


def random_action(game: Game[Any], state: State, rng: Random) -> int:
    """Return a random legal action."""
    by_chance = state.seat == CHANCE
    return sample_action(game, state, rng) if by_chance else game.random_action(state, rng)


def check_position(game: Game[Any], state: State, position: Any) -> None:
    """Check the scores, the legal actions before the end, and what each viewer may ask."""
    rules = {game.scores: position.scores}
    if state.seat != OVER:
        rules[game.legal] = position.legal
    # In a round what others have chosen is hidden: Python is asked.
    viewers = () if state.choices_field and count_choices(state) else range(state.seats + 1)
    for rule, in_c in rules.items():
        assert in_c(None) == list(rule(state))
        for viewer in viewers:
            assert seen(in_c, viewer) == expected(rule, state, viewer)


def seen(rule: Any, viewer: int) -> Any:
    """Return what a rule in C returns to a viewer, or the token whose hidden face it reads."""
    try:
        return rule(viewer)
    except HiddenFaceError as error:
        return error.token


def expected(rule: Any, state: State, viewer: int) -> Any:
    """Return what a rule in Python returns to a viewer, or the token whose hidden face it reads."""
    try:
        return list(under_mask(state, viewer, rule))
    except HiddenFaceError as error:
        return error.token


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_c_equals_the_game_in_python_after_every_action(name: str, built: Built) -> None:
    game = find_plugins([]).game(name)
    check_games(game, built(game), GAMES[name])


def test_hands_that_their_owners_mix_are_the_same_after_every_action(built: Built) -> None:
    game = Mixing()
    check_games(game, built(game), 6)


def check_games(game: Game[Any], module: Any, count: int) -> None:
    """Play random games in both forms, and compare them after every action."""
    left_out = OF_THE_CORE | struct_layout(game).left_out
    for seed in range(count):
        rng, other = Random(seed), Random()
        state = first_state(game, rng)
        other.setstate(rng.getstate())
        position = module.Position(state)
        while state.seat != OVER:
            check_position(game, state, position)
            action = random_action(game, state, rng)
            assert random_action(game, state, other) == action
            game.apply(state, action)
            resolve_shuffles(game, state, rng)
            position.apply(action, other)
            fields = {n: value for n, value in fields_of(state).items() if n not in left_out}
            assert position.fields() == fields
            assert other.getstate() == rng.getstate()
        check_position(game, state, position)
