"""Views of players and spectators, built from their observations."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.magpie import Magpie
from tests.view.text.patchwork import Patchwork

from cardhub import Game
from cardhub.play.referee import Referee
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.view.area_views import shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import (
    AreaView,
    CardCatalogue,
    GridView,
    Spot,
    View,
    decode_view,
    encode,
)
from cardhub_gargon import Gargon
from leduc import Leduc

GAMES: dict[str, Game[Any]] = {
    "gargon": Gargon(),
    "leduc": Leduc(),
    "magpie": Magpie(),
    "patchwork": Patchwork(),
}
NAMES = ["Anna", "Bob", "Chris", "David"]


def begun(game: str) -> Referee[Any]:
    """Return a referee before the first action of a seat."""
    rules = GAMES[game]
    referee = set_up(rules, seat_players([], rules.seats.default, "random"), {}, 1)
    referee.proceed()
    return referee


def view_of(referee: Referee[Any], viewer: int | None = None, **arguments: Any) -> View:
    """Return a viewer's view, by default the view of the seat to act."""
    observation = referee.observe(referee.seat if viewer is None else viewer)
    return build_view(observation, NAMES, **arguments)


def positions(game: str, count: int) -> Iterator[Referee[Any]]:
    """Yield a referee at the first decisions of a random game."""
    referee, rng = begun(game), Random(1)
    for _ in range(count):
        if referee.is_over:
            return
        yield referee
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        referee.proceed()


def areas_of(view: View) -> list[AreaView]:
    """Return the areas without grids."""
    return [area for area in view.areas if isinstance(area, AreaView)]


def test_the_viewers_own_hand_is_the_hand_region_and_shows_its_faces() -> None:
    referee = begun("gargon")
    view = view_of(referee)
    hands = [area for area in areas_of(view) if area.region == "hand"]
    assert [hand.seat for hand in hands] == [view.viewer]
    assert all(card.face is not None for card in hands[0].cards)
    others = [a for a in areas_of(view) if a.caption == "hand" and a.seat != view.viewer]
    assert others
    for area in others:
        assert area.region == "seat"
        assert all(card.face is None for card in area.cards)


def test_a_prompt_begins_with_a_capital() -> None:
    assert view_of(begun("gargon")).prompt.startswith("Lay 1 to 3 cards")


def test_only_the_seat_to_act_has_choices() -> None:
    referee = begun("gargon")
    seats = len(referee.players)
    for viewer in range(seats + 1):
        view = view_of(referee, viewer)
        assert bool(view.choices) == (viewer == referee.seat)
        assert view.own == (viewer if viewer < seats else 0)


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_one_choice_with_spots_and_unique_names(game: str) -> None:
    for referee in positions(game, 20):
        observation = referee.observe(referee.seat)
        choices = view_of(referee).choices
        assert sorted(c.action for c in choices) == sorted(observation.legal())
        assert len({c.name for c in choices}) == len(choices)
        labels = observation.labels(NAMES)
        for choice in choices:
            assert choice.spots
            assert labels.parse(choice.name, observation.legal()) == choice.action
            assert referee.read_action(choice.notation) == choice.action
            assert f"{choice.verb} {choice.object}".strip() == labels.label(choice.action)


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_can_be_undone_where_the_referee_lets_the_same_seat_undo_it(game: str) -> None:
    for referee in positions(game, 12):
        seat = referee.seat
        for choice in view_of(referee).choices:
            again = referee.restarted()
            for entry in referee.entries[1:]:
                again.apply_entry(entry)
            again.apply(choice.action)
            assert choice.can_undo == (again.can_undo(seat) and again.seat == seat)


def test_new_cards_have_their_origin() -> None:
    referee = begun("patchwork")
    view = view_of(referee, origins={3: "from r1c1, step 1"})
    grid = view.areas[0]
    assert isinstance(grid, GridView)
    new = [card for stack in grid.stacks for card in stack if card.is_new]
    assert [(card.token, card.origin) for card in new] == [(3, "from r1c1, step 1")]


def test_cards_that_left_an_area_are_counted() -> None:
    referee = begun("gargon")
    earlier = shown_tokens(view_of(referee, 0))
    seat = referee.seat
    referee.apply(referee.observe(seat).legal()[0])
    gone = [(a.caption, a.seat, a.gone) for a in areas_of(view_of(referee, 0, earlier=earlier))]
    assert [area for area in gone if area[2]] == [("hand", seat, 1)]


def test_a_site_of_a_lifted_card_is_the_spot_of_its_choice() -> None:
    view = view_of(begun("patchwork"))
    assert view.choices[0].spots == (Spot("site", 0, 0),)
    assert view.choices_at(Spot("site", 0, 0)) == view.choices[:1]


@pytest.mark.parametrize("game", GAMES)
def test_views_and_catalogues_survive_their_json_form(game: str) -> None:
    """`cardhub check` tests this for all views of a game."""
    catalogue = build_catalogue(GAMES[game])
    assert msgspec.json.decode(encode(catalogue), type=CardCatalogue) == catalogue
    for referee in positions(game, 8):
        for viewer in range(len(referee.players) + 1):
            view = view_of(referee, viewer, revision=7, bots=["", "rule", "", ""])
            assert decode_view(encode(view)) == view


def test_choices_have_the_tone_of_their_verb() -> None:
    referee = begun("leduc")
    while not any(choice.verb == "fold" for choice in view_of(referee).choices):
        referee.apply(view_of(referee).choices[-1].action)
    tones = {(choice.verb, choice.tone) for choice in view_of(referee).choices}
    assert tones >= {("fold", "costly"), ("call", "plain")}
    referee = begun("gargon")
    referee.apply(view_of(referee).choices[0].action)
    assert "primary" in {choice.tone for choice in view_of(referee).choices}
    undoable = {c.tone for c in view_of(referee).choices if c.can_undo}
    assert "costly" not in undoable
