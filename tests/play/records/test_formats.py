"""Playthroughs: recorded games as exporters get them."""

from pathlib import Path

import pytest
from tests.kit.redacting import redact

from cardhub import Playthrough
from cardhub.base.errors import HiddenFaceError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.records.formats import go_through
from cardhub.play.records.reading import parse_record, read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record
from cardhub.play.seating import Player
from cardhub.play.setup import play_out as play
from cardhub.play.setup import seated, set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon

BOB, SPECTATOR = 1, 2


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a game of Gamon."""
    path = tmp_path_factory.mktemp("records") / "gamon.jsonl"
    referee = set_up(Gamon(), [Player("Anna", "random"), Player("Bob", "random")], {}, 4)
    record_to(referee, path)
    referee.proceed()
    with seated(find_plugins(), referee) as bots:
        play(referee, bots)
    return path


def seen_by(path: Path, viewer: int) -> Playthrough:
    """Return the recorded game as a viewer may know it."""
    record = read_record(path)
    return go_through(record, open_record(Gamon(), record), viewer, str(viewer))


def test_the_omniscient_viewer_gets_the_notation_of_the_record(path: Path) -> None:
    game = seen_by(path, EVERYTHING)
    written = [line["action"] for _, line in read_record(path).lines if "action" in line]
    assert [moment.action for moment in game.moments if moment.kind == "action"] == written
    assert (game.seed, game.players) == (4, (("Anna", "random"), ("Bob", "random")))
    assert game.scores is not None
    assert [game.player(seat) for seat in (0, 1, -1, 2)] == ["Anna", "Bob", "", ""]


@pytest.mark.parametrize("viewer", [BOB, SPECTATOR])
def test_a_viewer_gets_the_same_from_a_redacted_record(path: Path, viewer: int) -> None:
    own = redact(Gamon(), read_record(path), BOB)
    record = parse_record(Path("own.jsonl"), own.encode())
    again = go_through(record, open_record(Gamon(), record), viewer, str(viewer))
    game = seen_by(path, viewer)
    assert [m.lines for m in again.moments] == [m.lines for m in game.moments]
    assert [m.action for m in again.moments] == [m.action for m in game.moments]
    tables = (
        [m.table.information_state() for m in playthrough.moments] for playthrough in (again, game)
    )
    assert next(tables) == next(tables)
    assert (again.seed, again.scores) == (game.seed, game.scores)
    assert game.seed is None


def test_each_moment_has_an_observation_that_hides_unseen_faces(path: Path) -> None:
    """They are observations: reading an unseen face raises."""
    game = seen_by(path, BOB)
    hidden = game.start.state.hand[0][0]
    with pytest.raises(HiddenFaceError):
        game.start.state.face[hidden]
    assert game.start.state.seat == 0
    assert len({id(moment.table) for moment in game.moments}) > 10
    assert game.moments[-1].table.state.seat == -1


def test_the_notation_does_not_reveal_equal_cards_in_a_hand(path: Path) -> None:
    """Every card is named by its token too, as in redacted records."""
    actions = [moment.action for moment in seen_by(path, BOB).moments]
    assert all("#" in action for action in actions if action.startswith("place"))
    assert any(action.startswith("place N?#") for action in actions)
