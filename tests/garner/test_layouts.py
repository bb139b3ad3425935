"""The six layouts, and errors about unknown ones."""

import json
from pathlib import Path

import pytest

from cardhub.base.errors import OptionError, RecordError
from cardhub.model.game.initial_state import initial_state, resolve_options
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.replaying import open_record
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS, Layout
from cardhub_garner.table import CARDS

FACTS = {
    "base": (5, 5, 3, {"A": 15, "B": 15, "C": 15, "D": 15, "E": 15}, False),
    "a": (3, 3, 3, {"A": 9, "B": 9, "C": 9}, False),
    "b": (3, 3, 4, {"A": 12, "B": 12, "C": 12}, True),
    "c": (4, 4, 3, {"A": 13, "B": 13, "C": 13, "D": 9}, False),
    "d": (3, 5, 3, {"A": 9, "B": 9, "C": 9, "D": 9, "E": 9}, False),
    "e": (4, 5, 3, {"A": 12, "B": 12, "C": 12, "D": 12, "E": 12}, True),
}


def names_in(layout: str) -> list[str]:
    """Return the names of the cards in play."""
    game = Garner()
    settings = resolve_options(game, {"layout": layout}, 2)
    return [CARDS.faces[face].name for face in game.pack(settings, 2)]


def test_there_are_six_layouts() -> None:
    """They are the base deck, and five ways of playing with more traditional decks."""
    assert list(LAYOUTS) == list(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_a_layout_has_its_sites_cards_and_extra_rule(name: str) -> None:
    """Sizes are rows × columns; a suit of n cards has the numbers 1 to n."""
    rows, columns, height, suits, never_six = FACTS[name]
    layout = LAYOUTS[name]
    assert (layout.rows, layout.columns, layout.height) == (rows, columns, height)
    assert layout.never_six is never_six
    assert names_in(name) == [f"{s}{n}" for s, count in suits.items() for n in range(1, count + 1)]


@pytest.mark.parametrize("name", FACTS)
def test_the_deal_lays_out_equal_stacks_of_open_cards(name: str) -> None:
    """All cards should be visible; the layout is regular."""
    game = Garner()
    settings = resolve_options(game, {"layout": name}, 2)
    state = initial_state(game, settings, 2, game.pack(settings, 2))
    layout = LAYOUTS[name]
    assert [len(state.board[site]) for site in layout.sites] == [layout.height] * len(layout.sites)
    assert sum(map(len, state.board)) == len(state.face)
    assert set(state.seen) == {state.everybody}


def test_a_layout_that_does_not_fit_its_deck_cannot_be_declared() -> None:
    """Nine stacks of three take 27 cards."""
    with pytest.raises(ValueError, match="9 stacks of 3 takes 27 cards, not 30"):
        Layout(3, 3, 3, (10, 10, 10), (1, 1, 1))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"layout": "f"}, "layout cannot be 'f': it is one of base, a, b, c, d, e"),
        ({"new_position": "some"}, "cannot be 'some': it is one of none, any, all"),
        ({"top_layer": "top"}, "cannot be 'top': it is one of surface, level"),
        ({"straight_line": "maybe"}, "cannot be 'maybe': it is true or false"),
        ({"straight_lines": "true"}, "Did you mean 'straight_line'?"),
    ],
)
def test_an_unknown_layout_or_variation_is_refused(given: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        resolve_options(Garner(), given, 2)
    assert message in str(caught.value)


def test_garner_is_for_two() -> None:
    with pytest.raises(OptionError, match="Garner is for 2 players, not for 3"):
        resolve_options(Garner(), {}, 3)


@pytest.mark.parametrize(
    ("dealt", "claimed", "message"),
    [
        ("a", "base", "the deal has 27 cards; Garner has 75 (layout base"),
        ("base", "a", "the deal has 75 cards; Garner has 27 (layout a"),
    ],
)
def test_a_record_whose_layout_does_not_fit_its_deck_is_refused(
    tmp_path: Path, dealt: str, claimed: str, message: str
) -> None:
    """The error names the file, the line and the valid values."""
    path = recorded(tmp_path, dealt, {"layout": claimed})
    with pytest.raises(RecordError) as caught:
        open_record(Garner(), read_record(path))
    assert str(caught.value).startswith(f"{path}:1: {message}")


def test_a_record_with_other_cards_than_its_layout_is_refused(tmp_path: Path) -> None:
    path = recorded(tmp_path, "a", {}, {"A9": "D9"})
    with pytest.raises(RecordError, match=r"does not hold the cards of Garner$"):
        open_record(Garner(), read_record(path))


def recorded(
    folder: Path, layout: str, options: dict[str, str], cards: dict[str, str] | None = None
) -> Path:
    """Return a record of a deal, with options and cards changed in its header."""
    players = seat_players([], 2, "random")
    referee = set_up(Garner(), players, {"layout": layout}, seed=1)
    path = folder / "game.jsonl"
    record_to(referee, path)
    header = json.loads(path.read_text("utf-8").splitlines()[0])
    header["options"] |= options
    header["deal"] = [(cards or {}).get(name, name) for name in header["deal"]]
    path.write_text(json.dumps(header) + "\n", "utf-8")
    return path
