"""Viewers who share a table get the same contents as at separate tables."""

from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.online.wire.session_messages import log_message, table_message
from cardhub.online.wire.wire_codec import encode_message
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from hearts.game import Hearts

from .conftest import Table


def played(game: Game[Any], seats: int, viewers: list[int]) -> list[dict[int, bytes]]:
    """Return what is sent to viewers after each action of a random game."""
    table = Table(game, seats=seats, people=range(seats)).begin()
    sessions = {viewer: table.host.session(viewer) for viewer in viewers}
    rng, sent = Random(1), []
    for _ in range(60):
        if table.referee.is_over:
            break
        seat = table.referee.seat
        action = rng.choice(table.referee.observe(seat).legal())
        table.host.act(seat, action, table.host.revision)
        if rng.random() < 0.1 and not table.host.why_no_undo(seat):
            table.host.undo(seat)
        table.host.request("read")
        table.clock.wait()
        sent.append({viewer: messages(session) for viewer, session in sessions.items()})
    return sent


def messages(session: Any) -> bytes:
    """Return the view and the log of a session as they are sent."""
    log = log_message(session.log(), 0)
    tail = log_message(session.log_tail(0)[0], 0)
    assert tail == log
    return encode_message(table_message(session)) + encode_message(log)


@pytest.mark.parametrize(
    ("game", "seats"),
    [(Gargon(), 4), (Gamon(), 2), (Hearts(), 4), (Magpie(), 2)],
    ids=["gargon", "gamon", "hearts", "magpie"],
)
def test_the_bytes_for_a_viewer_do_not_depend_on_other_viewers(game: Game[Any], seats: int) -> None:
    viewers = [*range(seats), seats]
    together = played(game, seats, viewers)
    assert len(together) > 20
    for viewer in viewers:
        alone = played(game, seats, [viewer])
        assert [step[viewer] for step in together] == [step[viewer] for step in alone]
