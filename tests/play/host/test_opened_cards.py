"""What is opened at the end: the cards that the rules have shown, or all if the game says so."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.play.host.conftest import Table
from typing_extensions import override

from cardhub import BreakdownRow, BreakdownSection, Display, Game
from cardhub.base.errors import RecordError
from cardhub.cli.records.access import choose_viewer
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.online.server.web.replay_builder import build
from cardhub.play.host.replays.replay import Replay, open_replay
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.replays.stepping.playing_on import continued
from cardhub.play.pages.building_data import build_replay_data
from cardhub.play.pages.replay_page import replay_html, shared_html
from cardhub.play.records.reading import read_record
from cardhub_garner import Garner
from leduc import Leduc
from leduc.game import CARDS, FOLD, RAISE

Tables = Callable[..., Table]
SPECTATOR = 2


def folded(tables: Tables, game: Game[Any], path: Path | None = None) -> Table:
    """Return a finished game of Leduc poker between two people, in which the second one folded."""
    at = tables(game, people=(0, 1), path=path).begin()
    for seat, action in ((0, RAISE), (1, FOLD)):
        session = at.host.model(seat)
        session.act(action, session.view().revision, at.told.append)
        at.clock.wait()
    assert at.host.is_over
    return at


def card_of(at: Table, seat: int) -> str:
    """Return the label of the card in a hand."""
    state = at.referee.observe(EVERYTHING).state
    label: str = CARDS.faces[state.face[state.hand[seat][0]]].label
    return label


def sent(at: Table, viewer: int) -> str:
    """Return all that a client gets at the end, with each face by its label."""
    message = json.loads(msgspec.json.encode(at.host.session(viewer).table_message()))
    del message["unseen"]  # all faces that may be the hidden ones
    text: str = json.dumps(_with_labels(message), ensure_ascii=False)
    return text


def _with_labels(data: object) -> object:
    """Return data with the numbers of faces written as labels."""
    if isinstance(data, dict):
        return {key: _faces(key, value) for key, value in data.items()}
    return [_with_labels(item) for item in data] if isinstance(data, list) else data


def _faces(key: str, value: object) -> object:
    if key == "face" and isinstance(value, int) and value >= 0:
        return CARDS.faces[value].label
    if key == "faces" and isinstance(value, list):
        return [CARDS.faces[face].label for face in value if isinstance(face, int) and face >= 0]
    return _with_labels(value)


class OpenLeduc(Leduc):
    """Leduc poker in which all cards are opened at the end."""

    opens_at_end = True


def test_a_hand_that_the_rules_do_not_show_stays_hidden_from_all_others(table: Tables) -> None:
    at = folded(table, Leduc())
    hands = [card_of(at, seat) for seat in (0, 1)]
    for viewer in (0, 1, SPECTATOR):
        text = sent(at, viewer)
        assert [hand in text for hand in hands] == [viewer == 0, viewer == 1]
        assert f"seed {at.referee.seed}" not in json.loads(text)["result"]["seed"]


def test_a_game_can_open_all_cards_to_everybody(table: Tables) -> None:
    at = folded(table, OpenLeduc())
    hands = [card_of(at, seat) for seat in (0, 1)]
    for viewer in (0, 1, SPECTATOR):
        text = sent(at, viewer)
        assert all(hand in text for hand in hands)
        assert json.loads(text)["result"]["seed"] == f"seed {at.referee.seed}"


def test_only_a_game_that_opens_its_cards_is_shown_to_a_viewer_of_everything(
    table: Tables,
) -> None:
    closed, opened = folded(table, Leduc()), folded(table, OpenLeduc())
    assert closed.host.viewers == (0, 1, SPECTATOR)
    assert closed.host.replay(0).viewers == (0,)
    assert opened.host.replay(0).viewers == (0, 1, SPECTATOR, EVERYTHING)
    with pytest.raises(ValueError, match="may not see"):
        closed.host.session(EVERYTHING)


def test_a_table_of_bots_is_shown_as_a_whole_in_any_game(table: Tables) -> None:
    """Nobody's secrets are shown to an opponent."""
    assert EVERYTHING in table(Leduc(), people=()).begin().host.viewers


def test_a_deal_whose_cards_stay_hidden_is_not_played_on_by_a_player(table: Tables) -> None:
    at = folded(table, Leduc())
    with pytest.raises(RecordError, match="stay hidden"):
        continued(at.host.replay(0), 0, at.referee.players)


def recorded(table: Tables, game: Game[Any], path: Path) -> tuple[Table, Replay]:
    """Return a folded game and the replay of its record."""
    at = folded(table, game, path)
    return at, open_replay(game, read_record(path))


def test_the_record_of_the_owner_has_all_cards_and_shows_first_what_was_opened(
    table: Tables, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    at, replay = recorded(table, Leduc(), path)
    record = read_record(path)
    assert replay.viewers == (0, 1, SPECTATOR, EVERYTHING)
    assert replay.viewer == choose_viewer(Leduc(), record, None) == SPECTATOR
    assert choose_viewer(Leduc(), record, "all") == EVERYTHING
    labels = [card_of(at, seat) for seat in (0, 1)]
    for viewer, seats in ((0, [0]), (1, [1]), (SPECTATOR, []), (EVERYTHING, [0, 1])):
        hands = build_result(replay, viewer).hands
        assert [(hand.seat, CARDS.faces[hand.faces[0]].label) for hand in hands] == [
            (seat, labels[seat]) for seat in seats
        ]
        assert bool(build_result(replay, viewer).seed) == (viewer == EVERYTHING)


def test_the_first_view_of_a_record_is_that_of_its_only_person(
    table: Tables, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    at = table(Leduc(), people=(0,), path=path).begin()
    while not at.host.is_over:
        at.answer() if at.host.is_bots_turn else at.act()
    record = read_record(path)
    assert open_replay(Leduc(), record).viewer == 0
    assert open_replay(OpenLeduc(), record).viewer == EVERYTHING


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_page_to_share_has_only_the_views_that_may_share_it(
    table: Tables, tmp_path: Path, viewer: int
) -> None:
    _, replay = recorded(table, Leduc(), tmp_path / "game.jsonl")
    limited = replay.limited(sorted({viewer, SPECTATOR}), viewer)
    assert shared_html(replay, viewer) == replay_html(build_replay_data(limited))


def test_the_page_of_a_server_shows_what_everybody_may_see(table: Tables, tmp_path: Path) -> None:
    closed, opened = tmp_path / "closed.jsonl", tmp_path / "opened.jsonl"
    _, replay = recorded(table, Leduc(), closed)
    build(closed, closed.with_suffix(".html"))
    spectator = replay.limited([SPECTATOR], SPECTATOR)
    expected = replay_html(build_replay_data(spectator))
    assert closed.with_suffix(".html").read_text("utf-8") == expected
    at = table(Garner(), people=(0, 1), path=opened).begin()
    while not at.host.is_over:
        at.act(at.referee.seat)
    build(opened, opened.with_suffix(".html"))
    whole = replay_html(build_replay_data(open_replay(Garner(), read_record(opened))))
    assert opened.with_suffix(".html").read_text("utf-8") == whole


def test_causes_that_depend_on_a_hidden_card_are_left_out(table: Tables) -> None:
    """They are shown where all cards are opened."""

    class CausesDisplay(Display[Any]):
        @override
        def breakdown(self, state: Any) -> list[BreakdownSection]:
            points = self.game.scores(state)
            label = " ".join(CARDS.faces[state.face[token]].name for token in (0, 1))
            return [BreakdownSection("", [BreakdownRow(label, points)])]

    class Closed(Leduc):
        display_type = CausesDisplay  # type: ignore[assignment]  # not derived from LeducDisplay

    class Open(Closed):
        opens_at_end = True

    for game, count in ((Closed(), 0), (Open(), 1)):
        at = folded(table, game)
        for viewer in (0, 1, SPECTATOR):
            result = at.host.session(viewer).table_message().result
            assert result is not None
            assert len(result.sections) == count
