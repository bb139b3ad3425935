"""A person's finished games at tables, and their results, for the holders of seats only."""

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish

from cardhub.online.server.table_interface import UnknownTableError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import OwnGame
from cardhub.play.table_messages import GameOutcome


def games_of(client: FakeClient) -> tuple[OwnGame, ...]:
    """Return the finished games that the server lists for a client."""
    games = client.server.lobby.own_games(client.table, client.token)
    assert games is not None
    return games.games


def finished(server: FakeServer, bots: list[str]) -> FakeClient:
    """Return the client of a person who has finished a game of Kuhn poker against a bot."""
    anna = server.create("kuhn", bots=bots)
    anna.tell(m.Start())
    finish(anna)
    return anna


def test_a_finished_game_is_described_as_in_the_terminal(server: FakeServer) -> None:
    anna = finished(server, ["", "random"])
    (game,) = games_of(anna)
    assert (game.title, game.players) == ("Kuhn poker", "against random")
    assert game.result.partition(":")[0] in ("won", "lost")
    assert game.replay == f"/t/{anna.table}/replay/1.html"
    assert game.outcome is not None
    assert (game.outcome.game, game.outcome.against) == ("kuhn", "random")
    assert game.outcome.won == float(game.result.startswith("won"))


def test_unfinished_games_and_games_of_others_are_not_listed(server: FakeServer) -> None:
    anna = server.create("kuhn", bots=["", "random"])
    anna.tell(m.Start())
    assert games_of(anna) == ()
    assert server.lobby.own_games(anna.table, "wrong") is None
    with pytest.raises(UnknownTableError):
        server.lobby.own_games("nosuch", anna.token)


def test_results_are_counted_by_game_and_bot(server: FakeServer) -> None:
    outcomes = [
        GameOutcome(game="kuhn", against="easy", is_helped=False, score=2, won=1.0),
        GameOutcome(game="kuhn", against="easy", is_helped=False, score=-2, won=0.0),
        GameOutcome(game="gone", against="hard", is_helped=True, score=3, won=None),
    ]
    results = server.lobby.own_results(outcomes)
    assert [row[:3] for row in results.rows] == [("gone", "hard", "1"), ("Kuhn poker", "easy", "2")]
    assert results.rows[1][3] == "1 of 2"
    assert len(results.heads) == len(results.rows[0])
