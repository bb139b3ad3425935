"""Gin Rummy: the same actions and points as in OpenSpiel's `gin_rummy`, where the rules agree.

`GIN_RUMMY_GAMES=1000 pytest examples/gin_rummy -k openspiel --log-cli-level=info` plays
more deals and logs how they ended.
"""

import os
from collections import Counter
from logging import getLogger
from random import Random
from typing import Any

import pytest

from cardhub import OVER
from cardhub.testing import initial_state, resolve_options
from gin_rummy import GinRummy
from gin_rummy.melds import value
from gin_rummy.table import ACTIONS, DEAL, KNOCK, Phase, Table, held

pyspiel = pytest.importorskip("pyspiel")

GAME = GinRummy()
SETTINGS = resolve_options(GAME, {"single": True}, 2)
FIRST = 66  # the next forty deals end in every way
GAMES = int(os.environ.get("GIN_RUMMY_GAMES", "40"))
# OpenSpiel's numbers of the actions; cards and melds are numbered as here.
THEIRS = {"take": 52, "draw": 53, "pass": 54, "done": 54, "knock": 55, "meld": 56}
THEIR_KNOCK = 55
LIMIT = 10
UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def theirs(state: Table, action: int) -> int:
    """Return OpenSpiel's number of an action."""
    verb, index = ACTIONS.verb_and_index[action]
    if verb in ("discard", "layoff"):
        return state.face[index]
    return THEIRS[verb] + index


def expected(state: Table, node: Any, seen: Counter[str]) -> set[int]:
    """Return OpenSpiel's legal actions, put right where its rules are others.

    A card that was just taken may not be discarded, so it does not help to knock. A knock is legal
    if any discard makes it so; OpenSpiel tries one arrangement of the eleven cards.
    """
    legal = set(node.legal_actions())
    hand = [state.face[token] for token in state.hand[state.seat]]
    kept = {state.face[state.taken]} if state.taken >= 0 else set()
    if state.phase == Phase.LAST:
        kept = {state.face[state.discards[-1]]}
        hand += kept
    if state.phase in (Phase.DISCARD, Phase.LAST):
        discards = set(UTILS.legal_discards(hand, LIMIT)) - kept
        seen["knocks with the card just taken"] += not discards and THEIR_KNOCK in legal
        seen["knocks that OpenSpiel misses"] += bool(discards) and THEIR_KNOCK not in legal
        legal = legal - {THEIR_KNOCK} | ({THEIR_KNOCK} if discards else set())
    return legal - kept if state.phase != Phase.LAST else legal


def choose(state: Table, node: Any, rng: Random) -> int:
    """Return an action that is legal in both, often a sensible one, to end deals by knocks."""
    legal = [a for a in GAME.legal(state) if theirs(state, a) in node.legal_actions()]
    sensible = GAME.heuristics.playout_action(state, rng)
    # Most knocks are put off: so there are gin and undercuts as well.
    chance = 0.3 if sensible == KNOCK else 0.9
    return sensible if sensible in legal and rng.random() < chance else rng.choice(legal)


def play(seed: int, seen: Counter[str]) -> None:
    """Play a deal in both; compare the legal actions at every decision, and the points."""
    rng = Random(seed)
    state = initial_state(GAME, SETTINGS, 2, rng.sample(range(52), 52))
    GAME.apply(state, DEAL)
    node = pyspiel.load_game("gin_rummy").new_initial_state()
    for token in (*state.hand[0], *state.hand[1], *state.discards):
        node.apply_action(state.face[token])
    is_random = seed % 2 == 0
    while state.seat != OVER:
        assert node.current_player() == state.seat
        ours = {theirs(state, action) for action in GAME.legal(state)}
        further = ours - expected(state, node, seen)
        # OpenSpiel lays off at most two cards at the same end of a run.
        assert not further or (state.phase == Phase.LAYOFFS and len(node.layoffs()) >= 2)
        assert ours >= expected(state, node, Counter())
        seen["cards laid off beyond OpenSpiel's"] += len(further)
        seen["decisions"] += 1
        legal = [a for a in GAME.legal(state) if theirs(state, a) in node.legal_actions()]
        action = rng.choice(legal) if is_random else choose(state, node, rng)
        before = state.clone()
        node.apply_action(theirs(state, action))
        GAME.apply(state, action)
        if node.is_chance_node():
            node.apply_action(state.face[state.hand[before.seat][-1]])
    assert node.is_terminal()
    compare_points(before, state, node.returns(), seen)


def compare_points(before: Table, state: Table, returns: list[float], seen: Counter[str]) -> None:
    """Compare the points of a deal; equal deadwood is an undercut here, a draw there."""
    scores = GAME.scores(state)
    if state.knocker < 0:
        seen["void deals"] += 1
        assert scores == returns == [0, 0]
        return
    own, other = (value(held(before, seat)) for seat in (state.knocker, 1 - state.knocker))
    seen["gin" if own == 0 else "undercuts" if other <= own else "knocks that win"] += 1
    if own == other != 0:
        seen["undercuts with equal deadwood"] += 1
        assert returns == [0, 0]
        assert scores[state.knocker] == -25
    else:
        assert scores == returns


def test_legal_actions_and_points_equal_openspiel() -> None:
    """Every second deal is played at random; in the others players are sensible."""
    seen: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + GAMES):
        play(seed, seen)
    getLogger(__name__).info("%d deals: %s", GAMES, dict(sorted(seen.items())))
    assert min(seen["gin"], seen["undercuts"], seen["knocks that win"], seen["void deals"]) > 0
