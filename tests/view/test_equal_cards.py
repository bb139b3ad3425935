"""Equal cards of an area that counts them are one card, and one choice."""

from typing import Any

import pytest
from msgspec.structs import replace

from cardhub.bots.bot import Rated
from cardhub.model.game.scene import Area, Scene
from cardhub.model.game.scene_faults import scene_faults
from cardhub.model.table.faces import blanked
from cardhub.play.advice import hinted_actions
from cardhub.testing import ByHand
from cardhub.view.area_views import shown_tokens
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.equal_cards import equal_tokens, equals_of
from cardhub.view.explain.explanations import Explainer
from cardhub.view.explain.reasons import Reasons
from cardhub.view.text import table_lines
from cardhub.view.view import AreaView, View, decode_view, encode
from orchards import Orchards
from orchards.game import OrchardsDisplay, Table

ORCHARDS = Orchards()
NAMES = ["Anna", "Bob"]


class EachCard(OrchardsDisplay):
    """Draws every card, and counts none."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the usual scene without numbers of equal cards."""
        scene = super().scene(state, viewer)
        areas = [replace(area, counted=False) for area in scene.areas if isinstance(area, Area)]
        return replace(scene, areas=areas)


class OrchardsOfEachCard(Orchards):
    """Orchards, with all cards drawn."""

    display_type = EachCard


def position(
    hand: str = "Penny Penny Penny Tree Cart", market: str = "", game: Orchards = ORCHARDS
) -> ByHand[Table]:
    """Return a position with a hand of seat 0, who is to act, and a market."""
    at = ByHand(game, 2)
    at.state.put_all(at.take(hand), at.state.hand, 0)
    at.state.put_all(at.take(market), at.state.market)
    at.state.seat = at.state.player = 0
    return at


def view_of(at: ByHand[Table], viewer: int = 0, **fields: Any) -> View:
    """Return the view of a seat."""
    return build_view(at.observe(viewer), NAMES, **fields)


def area_of(view: View, caption: str, seat: int | None = None) -> AreaView:
    """Return an area of a view."""
    return next(
        area
        for area in view.areas
        if isinstance(area, AreaView) and (area.caption, area.seat) == (caption, seat)
    )


def test_equal_cards_of_a_hand_are_drawn_once_with_their_number() -> None:
    hand = area_of(view_of(position()), "hand", 0)
    names = [ORCHARDS.cards.faces[card.face or 0].name for card in hand.cards]
    assert dict(zip(names, (card.copies for card in hand.cards), strict=True)) == {
        "Penny": 3,
        "Cart": 1,
        "Tree": 1,
    }
    assert hand.count == 5
    assert hand.is_listed


def test_they_are_one_choice_that_stands_for_all_legal_actions() -> None:
    at = position()
    view = view_of(at)
    assert [choice.name for choice in view.choices if choice.verb == "play"] == [
        "play Penny",
        "play Cart",
    ]
    assert sorted(view.actions()) == ORCHARDS.legal(at.state)
    pennies = view.choices[0].actions()
    assert len(pennies) == 3
    for action in pennies:
        choice = view.choice(action)
        assert choice is not None
        assert (choice.action, choice.spots) == (action, view.choices[0].spots)


def test_each_of_their_actions_is_at_the_card_that_is_drawn() -> None:
    view = view_of(position())
    (spot,) = view.choices[0].spots
    assert spot in set(view.spots())
    assert view.choices_at(spot) == (view.choices[0],)


def test_cards_that_others_can_tell_apart_are_choices_of_their_own() -> None:
    """Bob has seen one of the pennies, so it matters which one is played."""
    at = position("Penny Penny Penny")
    at.state.show(at.state.hand[0][1], 1)
    view = view_of(at)
    plays = [choice for choice in view.choices if choice.verb == "play"]
    assert sorted(len(choice.actions()) for choice in plays) == [1, 2]
    assert len({choice.name for choice in plays}) == 2
    assert len({choice.spots for choice in plays}) == 1


def test_what_a_viewer_cannot_see_is_equal_by_its_back() -> None:
    at = position()
    hand = Area("hand", at.state.hand[0], 0, counted=True)
    faces, backs = at.observe(1).state.face, at.state.back
    unseen = [-1] * len(faces)
    assert [len(tokens) for tokens in equal_tokens(hand, unseen, backs, {}).values()] == [5]


@pytest.mark.parametrize("name", ["marks", "head", "foot"])
def test_a_text_on_a_card_tells_it_apart(name: str) -> None:
    at = position("Penny Penny")
    first, second = at.state.hand[0]
    texts = {second: "lent"}
    area = Area("hand", [first, second], 0, counted=True)
    if name != "marks":
        setattr(area, name, texts)
    marks = texts if name == "marks" else {}
    equal = equal_tokens(area, blanked(at.state.face), at.state.back, marks)
    assert equal == {first: [first], second: [second]}


def test_a_closed_area_shows_no_difference_of_faces() -> None:
    at = position("Penny Tree")
    area = Area("hand", at.state.hand[0], 0, closed=True, counted=True)
    assert len(equal_tokens(area, blanked(at.state.face), at.state.back, {})) == 1


def test_areas_that_do_not_count_stand_for_nothing() -> None:
    at = position()
    scene = Scene("", [Area("hand", at.state.hand[0], 0)])
    assert equals_of(at.observe(0), scene) == {}


def test_a_card_that_is_new_marks_the_card_that_stands_for_it() -> None:
    at = position()
    last = at.state.hand[0][2]
    hand = area_of(view_of(at, origins={last: "from the deck"}), "hand", 0)
    penny = next(card for card in hand.cards if card.copies == 3)
    assert (penny.is_new, penny.origin) == (True, "from the deck")
    assert [card.is_new for card in hand.cards].count(True) == 1


def test_a_played_card_leaves_the_others_in_their_place() -> None:
    at = position()
    before = view_of(at)
    at.act("play Penny")
    hand = area_of(view_of(at, earlier=shown_tokens(before)), "hand", 0)
    assert [card.copies for card in hand.cards] == [2, 1, 1]
    assert hand.gone == 1


def test_plain_text_has_the_number_before_the_name() -> None:
    view = view_of(position(market="Tree Tree Grove Crown"))
    text = "\n".join(table_lines(view, build_catalogue(ORCHARDS)))
    assert "3×Penny" in text
    assert "2×Tree" in text
    assert "play Penny" in text
    assert "play Penny 2" not in text


def test_the_description_of_a_card_says_how_many_there_are() -> None:
    at = position()
    view = view_of(at)
    (spot,) = view.choices[0].spots
    assert "3 of these" in Explainer(at.observe(0), NAMES).explain(spot)


def test_the_choices_at_a_card_are_named_once() -> None:
    at = position()
    (spot,) = view_of(at).choices[0].spots
    reasons = Reasons(at.observe(0), NAMES)
    assert reasons.here(spot) == "Your choices here: play Penny."
    assert reasons.possible() == "play Penny, Cart or end the turn"


def test_a_hint_names_equal_cards_once() -> None:
    at = position()
    actions = ORCHARDS.legal(at.state)
    rated = [Rated(action, 10, 1.0) for action in actions]
    hinted = hinted_actions(rated, at.observe(0), NAMES)
    assert [action.name for action in hinted][:2] == ["play Penny", "play Cart"]
    assert all(view_of(at).choice_named(action.name) for action in hinted)


def test_a_hint_compares_no_cards_that_are_alike_even_if_each_is_drawn() -> None:
    at = position(game=OrchardsOfEachCard())
    rated = [Rated(action, 10, 1.0) for action in ORCHARDS.legal(at.state)]
    hinted = hinted_actions(rated, at.observe(0), NAMES)
    assert [action.name for action in hinted][:2] == ["play Penny", "play Cart"]
    assert all(view_of(at).choice_named(action.name) for action in hinted)


def test_a_view_with_counted_cards_has_a_json_form() -> None:
    view = view_of(position())
    assert decode_view(encode(view)) == view


def test_only_looks_without_an_order_may_count() -> None:
    at = position()
    area = Area("hand", at.state.hand[0], 0, look="pile", counted=True)
    (fault,) = scene_faults(Scene("play", [area]), len(at.state.face), 2)
    assert "counts equal cards, but has the look 'pile'. fix: the look hand or row" in fault
