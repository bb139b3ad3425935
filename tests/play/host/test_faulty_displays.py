"""Games whose display methods return values of a wrong type."""

from pathlib import Path
from random import Random

import pytest
from tests.play.host.conftest import Table

from cardhub.base.errors import SceneError
from cardhub.play.host.replays.replay import open_replay
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.records.reading import read_record
from cardhub.play.table_model import TableModel
from cardhub.view.view import Spot
from kuhn import Kuhn
from kuhn.game import KuhnDisplay


def faulty(method: str, value: object) -> Kuhn:
    """Return a game with a display method that returns a value."""
    display = type("FaultyDisplay", (KuhnDisplay,), {method: lambda *_: value})
    game: Kuhn = type("Faulty", (Kuhn,), {"display_type": display})()
    return game


def ask_everything(session: TableModel) -> None:
    """Ask for all that a front end shows."""
    view = session.view()
    for choice in view.choices:
        session.consequence(choice.action, print)
    for text in ("call", "fold"):
        session.why_not(text, print)
    session.explain(Spot("seat", 0), print)
    session.log()
    session.unread_summaries()
    session.result()


@pytest.mark.parametrize("value", [7, b"text", [7], object()], ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "method", ["scene", "consequence", "chapter", "why_not", "narration", "summary", "breakdown"]
)
def test_the_error_names_the_method_and_its_line(
    method: str, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    with pytest.raises(SceneError, match=rf"{Path(__file__).name}:\d+: {method}\(\) .* fix: "):
        play(faulty(method, value), path)
    replay = open_replay(Kuhn(), read_record(path))
    assert ReplaySession(replay, replay.last, 2).view().areas


def play(game: Kuhn, path: Path) -> None:
    """Play a game of two people at random, and ask about everything after each action."""
    at = Table(game, people=(0, 1), path=path).begin()
    rng = Random(1)
    sessions = [at.host.model(seat) for seat in range(3)]
    while not at.host.is_over:
        for session in sessions:
            ask_everything(session)
        at.act(at.referee.seat, rng.randrange(2))
    for session in sessions:
        ask_everything(session)
