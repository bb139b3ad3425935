"""Lessons at a server: a table of one person with scripted bots and comments."""

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.online.server.table_interface import LobbyError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import NewTable


def learner(server: FakeServer, game: str = "gargon") -> FakeClient:
    """Return the client of a new lesson, before it enters."""
    made = server.lobby.create(NewTable(game=game, name="Zoe", is_lesson=True))
    return FakeClient(server, made.table, made.token)


def act_as_suggested(client: FakeClient) -> FakeClient:
    """Take the suggested action."""
    message = client.table_message
    assert message.comment is not None
    assert message.comment.suggested is not None
    number = [choice.action for choice in message.view.choices].index(message.comment.suggested)
    return client.act(number)


def test_a_lesson_begins_when_its_learner_comes(server: FakeServer) -> None:
    anna = learner(server)
    stranger = FakeClient(server, anna.table).enter()
    assert stranger.state.stage == "open"
    anna.enter()
    assert (anna.state.stage, anna.state.is_lesson, anna.viewer) == ("playing", True, 0)
    comment = anna.table_message.comment
    assert comment is not None
    assert comment.lines[0].startswith("Welcome to Gargon.")
    assert comment.suggested in [choice.action for choice in anna.table_message.view.choices]
    assert stranger.table_message.comment is None


def test_another_choice_is_refused_once_with_the_reason(server: FakeServer) -> None:
    anna = learner(server).enter()
    message = anna.table_message
    assert message.comment is not None
    other = next(
        number
        for number, choice in enumerate(message.view.choices)
        if choice.name not in message.comment.lines[-1]
    )
    anna.act(other)
    assert "Choose it again to play it anyway." in anna.refusal
    step = message.view.revision
    anna.act(other)
    assert anna.table_message.view.revision > step


def test_a_lesson_goes_on_in_its_script_after_a_restart(server: FakeServer) -> None:
    anna = act_as_suggested(learner(server).enter())
    suggested = anna.table_message.comment
    assert suggested is not None
    server.lobby.close()
    server.start()
    anna = FakeClient(server, anna.table, anna.token).enter()
    assert anna.table_message.comment == suggested
    act_as_suggested(anna)
    assert anna.table_message.comment is not None


def test_the_seats_and_cards_of_a_lesson_cannot_be_changed(server: FakeServer) -> None:
    anna = learner(server).enter()
    anna.tell(m.SetUp(seats=5))
    assert anna.refusal.startswith("a lesson has its own seats and cards")


def test_a_game_without_a_lesson_offers_none(server: FakeServer) -> None:
    offers = {offer.name: offer.has_lesson for offer in server.lobby.listed().games}
    assert (offers["gargon"], offers["kuhn"]) == (True, False)
    with pytest.raises(LobbyError, match="has no lesson"):
        learner(server, "kuhn")
