"""Games of collections: tables are of those only that the host of a server offers."""

from pathlib import Path

import pytest
from tests.online.server.tables.conftest import House

from cardhub.base.errors import CardhubError
from cardhub.online.server.table_interface import LoadError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s

OFFERED, OTHER = "openspiel:tic_tac_toe", "openspiel:hex(board_size=3)"


def test_a_visitor_cannot_have_a_game_of_a_collection_made(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some take a minute to make, and all tables would wait; parameters can take all memory."""
    asked: list[str] = []
    monkeypatch.setattr(house.registry, "game", asked.append)
    with pytest.raises(CardhubError, match=r"does not offer 'openspiel:.*fix: choose a game"):
        house.create(OTHER)
    assert asked == []


def test_a_game_that_the_host_offers_is_in_the_lobby_and_played(tmp_path: Path) -> None:
    house = House(tmp_path / "tables", collected=[OFFERED])
    names = [game.name for game in house.lobby.listed().games]
    assert names[0] == "gargon"
    assert names[-1] == OFFERED
    anna = house.create(OFFERED, bots=["", "random"]).tell(m.Start())
    anna.act()
    assert anna.table_message.view.revision > 0
    with pytest.raises(CardhubError, match="does not offer"):
        house.create(OTHER)


def test_a_game_without_levels_has_its_default_bot(tmp_path: Path) -> None:
    """Search needs determinizations, which some card games of OpenSpiel lack; so do hints."""
    house = House(tmp_path / "tables", collected=["openspiel:spades"])
    anna = house.create("openspiel:spades").tell(m.Start())
    offer = house.lobby.listed().games[-1]
    assert offer.levels == anna.last(s.TableState).levels == ("random",)
    anna.tell(m.AskHint())
    assert any("no determinizations" in str(message) for message in anna.messages)


def test_a_table_waits_until_its_game_is_offered_again(tmp_path: Path) -> None:
    """A host may start the server without the option by mistake."""
    house = House(tmp_path / "tables", collected=[OFFERED])
    anna = house.create(OFFERED, bots=["", "random"]).tell(m.Start())
    house.collected = []
    house.start()
    with pytest.raises(LoadError, match="does not offer 'openspiel:tic_tac_toe'"):
        house.visit(anna)
    house.collected = [OFFERED]
    house.start()
    assert house.visit(anna, anna.token).table_message.view.choices
