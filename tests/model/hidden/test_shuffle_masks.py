"""The masks from before a shuffle are kept with it."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.games.pockets import Table, TinyPockets

from cardhub import per_token
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import advance, masks_at_shuffles
from cardhub.model.hidden.constraints.face_masks import possible_faces
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.play.history_entries import Entry, Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.secrecy import check_truth_is_allowed
from cardhub.testing.random_play import Position, default_trial, play

GAME = TinyPockets()
DRAW, _, _, GATHER, *DENY = GAME.actions.starts[:7]
# The faces with a red back are R0, R1 and R2.
RED = 0b0111


def dealt() -> Table:
    """Return a deal to two, with a red card for the first."""
    settings = resolve_options(GAME, {}, 2)
    seeds = (Random(seed) for seed in range(99))
    states = (
        initial_state(GAME, settings, 2, shuffled_pack(GAME, settings, 2, rng)) for rng in seeds
    )
    return next(s for s in states if s.back[s.hand[0][0]] == 1 and s.back[s.stack[-1]] == 1)


def after(state: Table, action: int) -> Table:
    """Return the state right after an action, before its shuffles."""
    applied = state.clone()
    GAME.apply(applied, action)
    return applied


def test_masks_are_asked_for_before_the_action_has_cleared_its_notes() -> None:
    """If a seat lacks a number and draws a card, only that card may have the number."""
    state = dealt()
    token = state.hand[0][0]
    value = GAME.values[state.face[token]]
    state.denied[token] = sum(1 << f for f, v in enumerate(GAME.values) if v == (value + 1) % 3)
    applied = after(state, DRAW)
    assert applied.denied[token] == 0
    (masks,) = masks_at_shuffles(GAME, state, applied)
    by_token = dict(zip(applied.pending_shuffles[0][0], masks, strict=True))
    assert by_token[token] & ~state.denied[token] == by_token[token] != -1
    assert by_token[state.stack[-1]] == -1


def test_information_from_the_action_itself_counts_as_well() -> None:
    """`possible` is also called for the state after the action."""
    state = dealt()
    applied = after(state, DRAW)
    token = applied.pending_shuffles[0][0][0]
    applied.denied[token] = 1
    (masks,) = masks_at_shuffles(GAME, state, applied)
    assert masks[0] & 1 == 0


def test_a_token_that_is_shuffled_twice_in_one_action_has_no_mask_the_second_time() -> None:
    """Between the two shuffles there is no public information about its card."""
    state = dealt()
    applied = after(state, DRAW)
    tokens = applied.pending_shuffles[0][0]
    state.denied[tokens[0]] = 1
    applied.shuffle(tokens)
    first, second = masks_at_shuffles(GAME, state, applied)
    assert first[0] != -1
    assert second == ()


def denials() -> Position[Table]:
    """Return the end of a game in which a number was denied before a shuffle."""
    for seed in range(99):
        *_, last = play(GAME, default_trial(GAME, 3, seed))
        if any(shuffle.allowed for shuffle in last.state.shuffle_log):
            return last
    raise AssertionError("nobody denies anything")


def test_play_and_replay_keep_the_same_masks_and_playouts_none() -> None:
    """The referee computes them from the actions, and records do not contain them."""
    last = denials()
    first = next(play(GAME, last.trial)).state
    players = [Player(name, "random") for name in NAMES[: last.trial.seats]]
    referee = Referee(GAME, players, last.trial.settings, 0, first.face)
    entries: list[Entry] = []
    playout = first.clone()
    for step in last.history:
        entries.append(Taken(*step))
        referee.apply_entry(entries[-1])
        while referee.observe(0).state.pending_shuffles:
            entries.append(Shuffled(last_outcome(last, referee)))
            referee.apply_entry(entries[-1])
        if step.action in GAME.legal(playout):
            advance(GAME, playout, step.action, Random(1))
    allowed = [shuffle.allowed for shuffle in referee.observe(3).state.shuffle_log]
    assert allowed == [shuffle.allowed for shuffle in last.state.shuffle_log]
    assert any(allowed)
    assert playout.shuffle_log
    assert not any(shuffle.allowed for shuffle in playout.shuffle_log)


def last_outcome(last: Position[Table], referee: Referee[Table]) -> Any:
    """Return the outcome that the next shuffle had in a game."""
    return outcomes_of(last.state)[len(referee.observe(0).state.shuffle_log)]


def test_masks_are_not_part_of_what_a_seat_has_seen() -> None:
    """They follow from the actions, which are."""
    last = denials()
    state = last.state.clone()
    state.shuffle_log = tuple(shuffle._replace(allowed=()) for shuffle in state.shuffle_log)
    with_masks, without = (Observation(GAME, s, 1, last.history) for s in (last.state, state))
    assert with_masks.information_state() == without.information_state()


def test_a_truth_denied_before_a_shuffle_is_found() -> None:
    """`cardhub check` looks at the past as well."""
    last = denials()
    check_truth_is_allowed(GAME, last, 3)
    number, shuffle = next((n, s) for n, s in enumerate(last.state.shuffle_log) if s.allowed)
    state = last.state.clone()
    wrong = tuple(~(1 << face) for face in shuffle.faces)
    past = list(state.shuffle_log)
    past[number] = shuffle._replace(allowed=wrong)
    state.shuffle_log = tuple(past)
    position = Position(last.trial, last.number, state, last.before, last.applied, last.steps)
    with pytest.raises(
        ConformanceError, match=rf"at shuffle {number + 1} possible\(\) denied that token"
    ):
        check_truth_is_allowed(GAME, position, 3)


def test_what_is_overridden_last_is_asked() -> None:
    """A game that derives from one with `possible` can still write `allows`."""

    class Allows(TinyPockets):
        """Excludes no face any more."""

        def allows(self, state: Table, token: int, face: int) -> bool:
            """Allow all."""
            return True

    state = dealt()
    state.denied = [1] * len(state.face)
    token = state.hand[0][0]
    asked, other = possible_faces(GAME), possible_faces(Allows())
    assert asked is not None
    assert other is not None
    assert asked(state, token) & RED == 0b0110
    assert other(state, token) & RED == RED
    assert possible_faces(Magpie()) is None


class NotedTable(Table):
    """As before, but the core deletes the notes."""

    denied = per_token()


class HastyPockets(TinyPockets):
    """Deletes no notes about cards that are mixed."""

    def _forget(self, state: Table, tokens: Sequence[int]) -> None:
        pass


class NotedPockets(HastyPockets):
    """Leaves that to the core."""

    state_type = NotedTable


def check_notes(game: TinyPockets) -> None:
    """Check in a few random games that no note denies the truth."""
    for seed in range(40):
        for position in play(game, default_trial(game, 2, seed)):
            check_truth_is_allowed(game, position, 2)


def test_notes_by_token_need_not_be_deleted_by_the_rules() -> None:
    """The notes apply to the cards from before the shuffle, not to the cards after it."""
    check_notes(NotedPockets())
    with pytest.raises(ConformanceError, match="truth_is_allowed"):
        check_notes(HastyPockets())
