"""Tables of games whose cards have changed while the server was stopped."""

import logging
from dataclasses import replace

import pytest
from tests.online.server.tables.conftest import REGISTRY, FakeServer, started

from cardhub.online.server.table_interface import LoadError
from cardhub.play.host.saved.editions import Editions

CHANGE = "Pig for stakes has changed since this game: treble stake: times 3 → 4"


def change_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the treble stakes of Pig count fourfold."""
    game = REGISTRY.game("pig")
    *others, treble = game.cards.faces
    faces = (*others, replace(treble, fields={"times": 4}))
    monkeypatch.setattr(game, "cards", replace(game.cards, faces=faces))


def test_a_table_says_what_changed_and_does_not_go_on(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, _ = started(server, "pig")
    assert (server.folder / "editions").is_dir()
    change_cards(monkeypatch)
    server.start()
    with pytest.raises(LoadError, match=CHANGE) as refused:
        server.visit(first, first.token)
    assert str(server.folder) not in str(refused.value)
    assert CHANGE in caplog.text


def test_a_table_goes_on_with_other_cards_if_the_host_of_the_server_accepts_them(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, _ = started(server, "pig")
    change_cards(monkeypatch)
    server.editions = Editions(accepts_changes=True, report=logging.getLogger("test").warning)
    server.start()
    again = server.visit(first, first.token)
    assert again.state.stage == "playing"
    assert CHANGE in caplog.text
    (record,) = server.folder.glob("*/*.jsonl")
    assert '"changes": ["treble stake: times 3 → 4"]' in record.read_text("utf-8")
