"""A model behind the wire sends commands to the server, and shows its messages."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.online.remote.conftest import Mirror, through
from tests.play.host.conftest import Table

from cardhub.model.game.scene import Summary
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.advice import HintedAction
from cardhub.play.table_commands import Act, AskExplain, AskHint, PaceCommand
from cardhub.play.table_messages import BeatView, HintMessage, LogMessage, Refused, TableMessage
from cardhub.play.table_model import LOST
from cardhub.play.view_matching import read_choice
from cardhub.plugins.registry import find_plugins
from cardhub.view.view import View


@pytest.fixture
def mirror() -> Mirror:
    """Return the session of Anna at a table of Gamon with two people."""
    at = Table(find_plugins().game("gamon"), people=(0, 1), seats=2).begin()
    return Mirror(at, at.host.seat)


def test_an_action_is_carried_out_by_the_server(mirror: Mirror) -> None:
    """The view is the next one when the answer has come."""
    before = mirror.remote.view()
    mirror.remote.act(before.choices[0].action, before.revision, pytest.fail)
    assert mirror.at.host.revision > before.revision
    assert mirror.remote.view() == mirror.local.view()
    assert not mirror.remote.is_answering


def test_a_key_that_is_pressed_twice_acts_once(mirror: Mirror) -> None:
    mirror.is_answered = False
    view = mirror.remote.view()
    for choice in view.choices[:2]:
        mirror.remote.act(choice.action, view.revision, pytest.fail)
    assert [type(message) for message in mirror.sent] == [Act]
    assert mirror.remote.is_answering


def test_a_refused_action_has_its_reason_and_another_one_may_follow(mirror: Mirror) -> None:
    """The reason is the same as in the local session."""
    refusals: list[str] = []
    local: list[str] = []
    revision = mirror.remote.view().revision
    mirror.local.act(9999, revision, local.append)
    mirror.remote.act(9999, revision, refusals.append)
    assert refusals == local
    assert refusals
    assert not mirror.remote.is_answering


def test_questions_are_answered_as_at_a_local_table(mirror: Mirror) -> None:
    """Details of all spots, reasons and consequences."""
    view = mirror.local.view()
    for spot in view.spots():
        assert asked(mirror.remote.explain, spot) == asked(mirror.local.explain, spot)
        assert asked(mirror.remote.why_not, spot) == asked(mirror.local.why_not, spot)
    for choice in view.choices:
        assert asked(mirror.remote.consequence, choice.action) == asked(
            mirror.local.consequence, choice.action
        )
    past: list[View] = []
    mirror.remote.view_at(0, past.append)
    mirror.local.view_at(0, past.append)
    assert past[0] == past[1]


def asked(ask: Any, about: object) -> list[str]:
    """Return the answers to a question."""
    answers: list[str] = []
    ask(about, answers.append)
    return answers


def test_an_answer_is_kept_until_the_view_changes(mirror: Mirror) -> None:
    """A cursor that goes to and fro asks once."""
    spot = next(mirror.remote.view().spots())
    assert asked(mirror.remote.explain, spot) == asked(mirror.remote.explain, spot)
    assert len(mirror.sent) == 1
    view = mirror.remote.view()
    mirror.remote.act(view.choices[0].action, view.revision, pytest.fail)
    asked(mirror.remote.explain, spot)
    assert [type(message) for message in mirror.sent] == [AskExplain, Act, AskExplain]


def test_a_lost_action_is_told_and_a_lost_question_is_asked_again(mirror: Mirror) -> None:
    mirror.is_answered = False
    answers: list[str] = []
    view = mirror.remote.view()
    mirror.remote.act(view.choices[0].action, view.revision, answers.append)
    mirror.remote.explain(next(view.spots()), answers.append)
    mirror.remote.hint(lambda hint: answers.append(hint.why_none))
    mirror.is_answered = True
    mirror.remote.connect_again()
    assert answers[:2] == [LOST, LOST]
    assert answers[2:] == asked(mirror.local.explain, next(view.spots()))
    assert not mirror.remote.is_answering


def test_a_hint_comes_back_unless_it_was_dropped(mirror: Mirror) -> None:
    answers: list[HintMessage] = []
    actions = (HintedAction("pass", "You draw a card."),)
    mirror.remote.hint(answers.append)
    mirror.deliver(HintMessage(bot="hard", actions=actions, why="It is best."))
    (hint,) = answers
    assert (hint.bot, hint.actions[0].name, hint.why) == ("hard", "pass", "It is best.")
    mirror.remote.hint(answers.append)
    mirror.remote.cancel_hint()
    mirror.deliver(HintMessage(why_none="no hint"))
    assert len(answers) == 1
    assert mirror.sent[-1] == AskHint(request="cancel")


def test_summaries_that_were_read_stay_read_until_others_come(mirror: Mirror) -> None:
    first, second = (Summary(title=f"Round {n}", rows=()) for n in (1, 2))
    remote = mirror.remote
    mirror.deliver(told(mirror, summaries=(first,)))
    assert remote.unread_summaries() == (first,)
    remote.request("read")
    assert mirror.sent[-1] == PaceCommand(command="read")
    mirror.deliver(told(mirror, summaries=(first,)))
    assert remote.unread_summaries() == ()
    mirror.deliver(told(mirror, summaries=(first, second)))
    assert remote.unread_summaries() == (second,)
    mirror.deliver(told(mirror, summaries=()))
    mirror.deliver(told(mirror, summaries=(first,)))
    assert remote.unread_summaries() == (first,)


def told(mirror: Mirror, **changes: Any) -> TableMessage:
    """Return the message of the table with some changes."""
    message = through(mirror.table_message())
    assert isinstance(message, TableMessage)
    return replace(message, **changes)


def test_the_time_of_thinking_goes_on_between_messages(mirror: Mirror) -> None:
    """A server reports only that a bot is thinking."""
    message = told(mirror)
    thinking = replace(message, status=replace(message.status, thinking=0.0))
    mirror.deliver(thinking)
    mirror.at.clock.wait(3)
    mirror.deliver(thinking)
    assert mirror.remote.status().thinking == pytest.approx(3)
    mirror.deliver(message)
    assert mirror.remote.status().thinking is None


def test_a_log_may_be_sent_again_from_any_step(mirror: Mirror) -> None:
    """Lines from that step on are replaced."""
    for _ in range(6):
        mover = mirror.at.host.model(mirror.at.host.seat)
        mover.act(mover.view().choices[0].action, mirror.at.host.revision, pytest.fail)
        mirror.at.clock.wait()
    mirror.follow()
    lines = mirror.local.log()
    assert list(mirror.remote.log()) == list(lines)
    assert list(mirror.remote.log(since=lines[0].step)) == list(lines[1:])
    mirror.deliver(LogMessage(since=lines[1].step, lines=tuple(lines[1:])))
    assert list(mirror.remote.log()) == list(lines)
    mirror.deliver(LogMessage(since=0, lines=tuple(lines[:1])))
    assert list(mirror.remote.log()) == [lines[0]]


def test_a_view_of_another_viewer_is_an_error(mirror: Mirror) -> None:
    """A server that mixes viewers up must not show their cards."""
    message = told(mirror)
    other = replace(message, view=replace(message.view, viewer=1 - mirror.remote.viewer))
    with pytest.raises(WireError, match="another viewer"):
        mirror.deliver(other)


def test_a_beat_that_cannot_be_drawn_is_an_error(mirror: Mirror) -> None:
    """Its view comes from the server like any other."""
    message = told(mirror)
    beat = BeatView(step=1, seconds=1.0, view=message.view)
    mirror.deliver(replace(message, beats=(beat,)))
    assert mirror.remote.table.beats == (beat,)
    broken = replace(beat, view=replace(message.view, to_act=99))
    with pytest.raises(WireError, match="a seat that does not exist"):
        mirror.deliver(replace(message, beats=(broken,)))


def test_the_reason_for_typed_text_without_an_action_comes_from_the_server(mirror: Mirror) -> None:
    reading = read_choice(mirror.remote.view(), "fly")
    assert isinstance(reading, str)
    assert reading.startswith("'fly' is not one of the choices.")
    assert asked(mirror.remote.why_not, "fly") == asked(mirror.local.why_not, "fly")


def test_a_refusal_of_another_message_is_no_refusal_of_the_action(mirror: Mirror) -> None:
    """It is a notice, and the action still waits for its answer."""
    mirror.is_answered = False
    notices: list[str] = []
    mirror.remote.on_notice = notices.append
    view = mirror.remote.view()
    mirror.remote.explain(next(iter(view.spots())), pytest.fail)
    mirror.remote.act(view.choices[0].action, view.revision, pytest.fail)
    question, action = mirror.sent
    mirror.deliver(Refused(why="no", id=getattr(question, "id", 0)))
    assert notices == ["no"]
    assert mirror.remote.is_answering
    assert isinstance(action, Act)
    mirror.answer(action)
    assert not mirror.remote.is_answering
