"""Two worlds through the messages of a server: the same bytes, or a leak is found."""

from random import Random

import pytest

from cardhub.model.table.faces import blanked
from cardhub.play.host.local_session import LocalSession
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.message_checks import check_same_messages
from cardhub.testing.random_play import Position, default_trial, play
from cardhub_gamon import Gamon
from cardhub_gamon.table import Table


@pytest.fixture(scope="module")
def positions() -> list[Position[Table]]:
    """Return the positions of one random game."""
    return list(play(Gamon(), default_trial(Gamon(), 2, 1)))


def test_messages_of_a_game_are_the_same_in_all_worlds_a_viewer_takes_for_possible(
    positions: list[Position[Table]],
) -> None:
    for position in (*positions[::20], positions[-1]):
        check_same_messages(Gamon(), position, Random(1))


def test_a_planted_leak_is_found(
    positions: list[Position[Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A careless session sends the true cards."""

    def leaking(session: LocalSession) -> str:
        return str(blanked(session._referee._state.face))

    monkeypatch.setattr(LocalSession, "seed", leaking)
    with pytest.raises(ConformanceError, match="the message table differs") as caught:
        check_same_messages(Gamon(), positions[3], Random(1))
    assert caught.value.check == "same_messages"
