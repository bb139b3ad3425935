"""Random games over all layouts and variations, checks of options together, and undo."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.soaking import count_examples

from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.table.settings import Value
from cardhub.model.table.state import OVER
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.testing import Trial, check_playout
from cardhub.testing.random_play import default_trial
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.majorities import counts
from cardhub_garner.table import COLLECTING, LIFTING, SUIT, Table

# Games in parts that can run side by side.
GAMES, CHUNKS = count_examples(100), 2

VARIATIONS = st.fixed_dictionaries(
    {
        "layout": st.sampled_from(list(LAYOUTS)),
        "new_position": st.sampled_from(["none", "any", "all"]),
        "straight_line": st.booleans(),
        "top_layer": st.sampled_from(["surface", "level"]),
        "stop_when_decided": st.booleans(),
    }
)


def played(options: dict[str, Value], seed: int) -> Iterator[Table]:
    """Play a random game and yield the same state after each action."""
    game, rng = Garner(), Random(seed)
    agreed = resolve_options(game, options, 2)
    state = initial_state(game, agreed, 2, shuffled_pack(game, agreed, 2, rng))
    yield state
    while state.seat != OVER:
        game.apply(state, game.random_action(state, rng))
        yield state


def lying(state: Table) -> list[int]:
    """Return every token on the table, pile by pile."""
    piles = (*state.board, *state.won, state.lifted)
    return sorted(token for pile in piles for token in pile)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_card_is_ever_lost_or_doubled(chunk: int) -> None:
    """The games have all layouts and variations; a pile never has exactly six of a suit."""

    @settings(max_examples=GAMES // CHUNKS, deadline=None, database=None)
    @given(options=VARIATIONS, seed=st.integers(0, 2**32))
    def check(options: dict[str, Value], seed: int) -> None:
        layout = LAYOUTS[str(options["layout"])]
        cards = list(range(sum(layout.cards)))
        for state in played(options, seed * CHUNKS + chunk):
            assert len(state.lifted) == len(state.origins)
            assert not any(outside(state))
            if state.phase == LIFTING:
                assert lying(state) == cards
                assert not (layout.never_six and any(6 in held for held in counts(state)))
        assert state.seat == OVER

    check()


def outside(state: Table) -> list[list[int]]:
    """Return the stacks of those sites that are not in the layout."""
    layout = LAYOUTS[state.settings.word("layout")]
    return [stack for site, stack in enumerate(state.board) if site not in layout.sites]


@pytest.mark.parametrize("options", [{"layout": name} for name in LAYOUTS], ids=str)
def test_a_whole_game_ends_by_the_rules(options: dict[str, Value]) -> None:
    """A game ends when all cards are collected, or by R7 with some left; the scores follow R8."""
    for seed in range(5):
        *_, state = played(options, seed)
        layout = LAYOUTS[str(options["layout"])]
        left = sum(map(len, state.board))
        assert left == 0 or (layout.never_six and state.idle == layout.idle_turns)
        won = [
            sum(
                w
                for held, n, w in zip(c, layout.majorities, layout.weights, strict=True)
                if held >= n
            )
            for c in counts(state)
        ]
        decided = 2 * max(won) > sum(layout.weights)
        assert Garner().scores(state) == (won if decided else [0, 0])


def test_every_turn_collects_cards_of_one_suit() -> None:
    """Collect one whole suit group: a turn adds cards of one suit to a pile."""
    before: list[int] = []
    seat = 0
    turns = 0
    for state in played({"layout": "e"}, 3):
        if state.phase == COLLECTING:
            seat, before = state.seat, state.won[state.seat][:]
        elif state.phase == LIFTING and before:
            added = state.won[seat][len(before) :]
            assert len({SUIT[state.face[token]] for token in added}) <= 1
            turns += 1
    assert turns > 20


@pytest.mark.parametrize(
    ("name", "top_layer"), [*zip(LAYOUTS, cycle(["surface", "level"]), strict=False)]
)
def test_variations_keep_them_together(name: str, top_layer: str) -> None:
    game = Garner()
    trial = default_trial(game, 2, 5)
    options: dict[str, Value] = {"layout": name, "new_position": "any", "straight_line": True}
    options["top_layer"] = top_layer
    agreed = type(trial.settings)(dict(trial.settings) | options)
    assert check_playout(game, Trial(2, agreed, 5), samples=1)


def test_a_turn_can_be_taken_back_to_its_start() -> None:
    """Undo reaches back to the start of the seat's own turn: no face is ever revealed here."""
    players = [Player(name, "human") for name in ("Ada", "Bo")]
    referee = set_up(Garner(), players, {"layout": "a"}, seed=4)
    referee.proceed()
    before = referee.observe(0)
    taken = 0
    while referee.seat == 0:
        referee.apply(referee.observe(0).legal()[0])
        taken += 1
    assert taken >= 3
    for _ in range(taken):
        assert referee.can_undo(0)
        referee.undo(0)
    assert referee.observe(0).state == before.state
    assert referee.observe(0).history == before.history
    assert not referee.can_undo(0)


def test_a_turn_cannot_be_taken_back_once_the_other_has_acted() -> None:
    """Own actions can be undone until the other seat acts."""
    players = [Player(name, "human") for name in ("Ada", "Bo")]
    referee = set_up(Garner(), players, {"layout": "a"}, seed=4)
    while referee.seat == 0:
        referee.apply(referee.observe(0).legal()[0])
    referee.apply(referee.observe(1).legal()[0])
    assert not referee.can_undo(0)
    referee.undo(1)
    assert referee.observe(1).state.lifted == []
