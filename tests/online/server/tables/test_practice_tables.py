"""People take decisions of their reviews again at a server, and play on with bots."""

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, started

from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.practice import NO_PRACTICE
from cardhub.play.host.viewer_session import NOT_REVIEWED
from cardhub.plugins.registry import PluginRegistry

SEARCH = "ismcts:iterations=8"


@pytest.fixture(autouse=True)
def hints_after_few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take milliseconds."""
    monkeypatch.setattr(PluginRegistry, "default_hint", lambda *_: SEARCH)


def reviewed(server: FakeServer, game: str = "four_piles") -> FakeClient:
    """Return a person who has played a game against a bot and knows the costliest moves."""
    anna = server.create(game, seats=2)
    anna.tell(m.Start())
    finish(anna)
    anna.tell(c.AskReview())
    return anna


def practised(anna: FakeClient) -> int:
    """Begin to practise at the first of the costliest moves; return its step."""
    # The last action of a game cannot be taken back.
    step = min(move.step for move in anna.last(t.ReviewMessage).moves)
    anna.tell(m.BeginPractice(id=1, step=step))
    return step


def shown(client: FakeClient) -> t.TableMessage:
    """Return the last view of the practice table."""
    updates = [x for x in client.messages if isinstance(x, s.PracticeUpdate)]
    tables = [x.message for x in updates if isinstance(x.message, t.TableMessage)]
    return tables[-1]


def choose(client: FakeClient) -> None:
    """Take the first choice at the practice table."""
    view = shown(client).view
    act = c.Act(action=view.choices[0].action, rev=view.revision)
    client.tell(m.InPractice(command=act))


def test_a_person_plays_on_from_a_costly_move_to_the_end(server: FakeServer) -> None:
    anna = reviewed(server)
    practised(anna)
    assert anna.last(s.PracticeUpdate).verdict.endswith("Choose again.")
    choose(anna)
    assert anna.last(s.PracticeUpdate).verdict.startswith("You chose ")
    for _ in range(200):
        if shown(anna).view.is_over:
            break
        choose(anna)
    result = shown(anna).result
    assert result is not None
    assert (result.is_over, result.path) == (True, "")


def test_a_choice_in_practice_can_be_taken_back(server: FakeServer) -> None:
    anna = reviewed(server)
    practised(anna)
    before = shown(anna).view
    choose(anna)
    anna.tell(m.InPractice(command=c.Undo()))
    assert [x.name for x in shown(anna).view.choices] == [x.name for x in before.choices]
    assert anna.last(s.PracticeUpdate).verdict.endswith("Choose again.")


def test_practice_leaves_the_record_and_the_table_as_they_are(server: FakeServer) -> None:
    anna = reviewed(server)
    path = server.folder / anna.table / "game-1.jsonl"
    before = path.read_bytes()
    practised(anna)
    choose(anna)
    assert path.read_bytes() == before
    assert (anna.state.stage, anna.state.number) == ("over", 1)
    assert anna.table_message.view.is_over


def test_only_moves_of_a_review_are_practised(server: FakeServer) -> None:
    anna = reviewed(server)
    steps = {move.step for move in anna.last(t.ReviewMessage).moves}
    other = next(step for step in range(100) if step not in steps)
    anna.tell(m.BeginPractice(id=1, step=other))
    assert anna.refusal == NOT_REVIEWED
    anna.tell(m.InPractice(command=c.Undo()))
    assert "you are not practising now" in anna.refusal


def test_a_game_that_keeps_cards_hidden_is_not_practised(server: FakeServer) -> None:
    anna = reviewed(server, "kuhn")
    anna.tell(m.BeginPractice(id=1, step=1))
    assert anna.refusal == NO_PRACTICE


def test_practice_ends_with_the_next_game(server: FakeServer) -> None:
    anna = reviewed(server)
    practised(anna)
    anna.tell(m.Rematch())
    assert anna.last(s.PracticeUpdate).message is None
    anna.tell(m.InPractice(command=c.Undo()))
    assert "you are not practising now" in anna.refusal


def test_spectators_and_games_in_play_have_no_practice(server: FakeServer) -> None:
    anna, _ = started(server, "four_piles", seats=2)
    anna.tell(m.BeginPractice(id=1, step=1))
    assert "the game is not over" in anna.refusal
    watcher = server.visit(anna)
    watcher.tell(m.BeginPractice(id=1, step=1))
    assert "you do not have a seat" in watcher.refusal
