"""The referee checks actions, keeps the history, draws chance outcomes and isolates its state."""

import re
import signal
from random import Random
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.errors import BotExceptionError, HiddenFaceError, IllegalActionError
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import fields_of
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event
from cardhub.play.referee import Referee
from cardhub.play.setup import let_bot_act, set_up
from cardhub_gargon import Gargon
from cardhub_gargon.table import Table

from .conftest import PLAYERS, finish


@pytest.fixture
def referee() -> Referee[Table]:
    """Return a game of three at its start."""
    referee = set_up(Gargon(), PLAYERS, {}, seed=3)
    referee.proceed()
    return referee


def test_the_error_for_an_illegal_action_is_public(referee: Referee[Table]) -> None:
    """The error contains the action, because its text depends on the viewer."""
    before = referee.observe(0).information_state()
    for action in (referee.game.actions.starts[3] + 3, 999):
        with pytest.raises(IllegalActionError) as caught:
            referee.apply(action)
        assert str(caught.value) == "that is not a legal action of Anna"
        assert caught.value.action == action
    assert referee.observe(0).information_state() == before


def test_the_refusal_for_the_seat_to_act_names_the_legal_actions_as_it_knows_them(
    referee: Referee[Table],
) -> None:
    """Its own cards have names, the cards of others only tokens."""
    seen, starts = referee.observe(0), referee.game.actions.starts
    assert seen.refusal(starts[3] + 3).startswith("'fight red' is not legal. Legal: lay ")
    assert seen.refusal(999).startswith("action 999 is not legal. Legal: lay ")
    others = seen.state.hand[1][0]
    assert f"'lay {seen.labels().phrase(others)}' is not legal" in seen.refusal(others)


def test_no_action_is_legal_after_the_end(referee: Referee[Table]) -> None:
    finish(referee)
    with pytest.raises(IllegalActionError, match="the game is over"):
        referee.apply(0)
    assert not any(referee.can_undo(seat) for seat in range(3))


def test_events_name_only_cards_that_their_viewer_knows(referee: Referee[Table]) -> None:
    """`lay R14` for its owner, `lay a red card` for the others."""
    heard: dict[int, list[Event]] = {0: [], 1: [], 3: []}
    for viewer, events in heard.items():
        follow(referee, viewer, events.append)
    observation = referee.observe(0)
    token = observation.legal()[0]
    card = observation.labels().card(token)
    referee.apply(token)
    assert heard[0][0].lines == (f"Anna lays {card}",)
    assert heard[1][0].lines == heard[3][0].lines
    assert card not in heard[1][0].lines[0]
    assert heard[1][0].lines[0].startswith("Anna lays a ")
    assert heard[1][0].changed == {token}


def test_events_can_be_told_again(referee: Referee[Table]) -> None:
    """Past events are the same as those heard live."""
    heard: list[Event] = []
    follow(referee, 1, heard.append)
    finish(referee)
    assert past_events(referee, 1) == heard
    assert heard[-1].kind == "over"


def test_an_observation_hides_unseen_faces(referee: Referee[Table]) -> None:
    """Reading a blank face raises; it never yields a value."""
    state = referee.observe(0).state
    for seat, hand in enumerate(state.hand):
        for token in hand:
            if seat == 0:
                assert state.face[token] >= 0
            else:
                with pytest.raises(HiddenFaceError):
                    state.face[token]


def test_an_observation_cannot_be_used_to_change_the_game(referee: Referee[Table]) -> None:
    observation = referee.observe(0)
    observation.state.hand[0].clear()
    observation.state.seen[50] = 255
    assert len(referee.observe(0).state.hand[0]) == 10
    assert referee.observe(0).state.seen[50] == 0


def test_own_actions_can_be_undone_until_another_seat_acts(referee: Referee[Table]) -> None:
    """Undo: a seat's own actions, until another seat acts."""
    before = referee.observe(0).information_state()
    assert not referee.can_undo(0)
    referee.apply(referee.observe(0).legal()[0])
    referee.apply(referee.observe(0).legal()[-1])
    assert referee.can_undo(0)
    assert not referee.can_undo(1)
    referee.undo(0)
    referee.undo(0)
    assert referee.observe(0).information_state() == before
    with pytest.raises(IllegalActionError, match="Anna cannot take anything back"):
        referee.undo(0)


def test_the_turn_itself_can_be_taken_back_until_the_next_player_acts(
    referee: Referee[Table],
) -> None:
    """Laying reveals no face, so a finished set can still be undone."""
    done = referee.game.actions.starts[1]
    referee.apply(referee.observe(0).legal()[0])
    referee.apply(done)
    assert referee.seat == 1
    assert referee.can_undo(0)
    referee.apply(referee.observe(1).legal()[0])
    assert not referee.can_undo(0)


def test_an_action_that_revealed_a_face_cannot_be_undone(referee: Referee[Table]) -> None:
    """Undo: not after any seat, the own one included, has learned a face."""
    done, passes = referee.game.actions.starts[1:3]
    referee.apply(referee.observe(0).legal()[0])
    referee.apply(done)
    referee.apply(next(a for a in referee.observe(1).legal() if a >= passes))
    assert not referee.can_undo(1)


def test_every_viewer_has_one_exit(referee: Referee[Table]) -> None:
    """An observation is the same for every permutation of the unseen faces."""
    rng = Random(2)
    for _ in range(60):
        seat = referee.seat
        observation = referee.observe(seat)
        other = observation.determinize(rng)
        again = type(observation)(referee.game, other, seat, observation.history)
        assert again.information_state() == observation.information_state()
        assert again.scene() == observation.scene()
        referee.apply(rng.choice(observation.legal()))


ODD = [None, "lay", 1.0, [1], -7, 10**9, 10**9999, True, object()]


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
def test_an_answer_that_is_no_action_is_refused_like_an_illegal_one(answer: Any) -> None:
    """Bots are third-party code: every answer is checked."""
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    referee.proceed()
    with pytest.raises(IllegalActionError, match="that is not a legal action of Anna"):
        referee.apply(answer)
    assert re.match(r"action .* is not legal\. Legal: ", referee.observe(0).refusal(answer))


class Terminated:
    """A bot that is thinking when the program gets SIGTERM."""

    def choose(self, observation: Observation[Any], /) -> int:
        """Raise SIGTERM."""
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError


def leave(_number: int, _frame: object) -> None:
    """Exit like the program's own handler of SIGTERM."""
    raise SystemExit(143)


def test_sigterm_ends_a_program_while_a_bot_thinks() -> None:
    """SIGTERM is not a fault of the bot: the exit code is the code of the signal."""
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    referee.proceed()
    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit) as caught:
            let_bot_act(referee, Terminated())
        assert signal.getsignal(signal.SIGTERM) is leave
    finally:
        signal.signal(signal.SIGTERM, before)
    assert caught.value.code == 143


@pytest.mark.parametrize("error", [SystemExit(0), KeyboardInterrupt(), ValueError("no")])
def test_a_bot_cannot_end_the_program(error: BaseException) -> None:
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    referee.proceed()
    with pytest.raises(BotExceptionError) as caught:
        let_bot_act(referee, ScriptedBot(error))
    assert str(caught.value).startswith(type(error).__name__)


def spoil(value: Any) -> None:
    """Change everything in nested lists that can be changed."""
    if isinstance(value, list):
        for item in value:
            spoil(item)
        value.append(99)
        value[0] = 99


@pytest.mark.parametrize("steps", [0, 40])
def test_spoiling_an_observation_leaves_the_game_as_it_was(steps: int) -> None:
    """No mutable object is shared between a state and an observation of it."""
    referee: Referee[Any] = set_up(Gargon(), PLAYERS, {}, seed=2)
    referee.proceed()
    for _ in range(steps):
        referee.apply(referee.observe(referee.seat).legal()[0])
    before = [referee.observe(viewer).state for viewer in range(4)]
    for viewer in range(4):
        for value in fields_of(referee.observe(viewer).state).values():
            spoil(value)
    assert [referee.observe(viewer).state for viewer in range(4)] == before
