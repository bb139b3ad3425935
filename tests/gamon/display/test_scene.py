"""The scene of Gamon."""

from random import Random

import pytest
from tests.kit.table_texts import text_of, view_of

from cardhub import Area
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import pass_chance
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import OVER
from cardhub.view.explain.explanations import Explainer
from cardhub.view.text.glyphs import cells
from cardhub.view.view import AreaView, Spot
from cardhub_gamon import Gamon
from cardhub_gamon.table import CARDS

from ..positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer hms-peril"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass polly-the-parrot"
NAMES = ["Anna", "Bob"]


def prompt_for(at: Position, viewer: int) -> str:
    """Return the prompt that a viewer reads."""
    return view_of(at.observe(viewer), NAMES).prompt


def shown(at: Position, viewer: int) -> str:
    """Return the table as text, lines joined."""
    return " ".join(text_of(at.observe(viewer), NAMES).split())


def in_play(at: Position, seat: int) -> Area:
    """Return the area of the cards that a side has played this round."""
    areas = [area for area in at.observe(2).scene().areas if isinstance(area, Area)]
    return next(area for area in areas if (area.caption, area.seat) == ("in play", seat))


def texts(at: Position, seat: int) -> list[tuple[str, str, str]]:
    """Return name, head and foot of the cards that a side has played this round."""
    area = in_play(at, seat)
    titles = [CARDS.faces[at.state.face[token]].title for token in area.tokens]
    borders = [(area.head.get(token, ""), area.foot.get(token, "")) for token in area.tokens]
    return [(title, *border) for title, border in zip(titles, borders, strict=True)]


def badges(at: Position, seat: int) -> list[str]:
    """Return the badges of a side."""
    return list(at.observe(2).scene().seats[seat].badges)


def test_coins_and_turns_are_shown() -> None:
    at = set_up(NAVY, PIRATES, prize=2, purse=(3, 5), pile=20).turn("gunner 4", "boatswain 2")
    scene = at.observe(0).scene()
    assert scene.status == "round 1 · turn 2 of 3"
    assert [(shown.caption, shown.seat, shown.value) for shown in scene.counters] == [
        ("prize", None, 3),
        ("pile", None, 19),
        ("purse", 0, 3),
        ("purse", 1, 5),
    ]
    assert [scene.seats[seat].score for seat in range(2)] == [
        "won 1 of 2 turns",
        "won 0 of 2 turns",
    ]
    assert list(scene.seats[0].badges) == ["Navy", "attacks"]
    assert list(scene.seats[1].badges) == ["Pirate", "defends"]


def test_cards_in_play_show_their_calls_and_that_they_lie_face_down() -> None:
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5", "place boatswain", "call 3")
    for seat, call in ((0, 5), (1, 3)):
        area = in_play(at, seat)
        assert (area.place, area.room, area.slots) == ("front", 3, 3)
        assert texts(at, seat) == [
            ("Gunner" if seat == 0 else "Boatswain", f"calls {call}", "face down")
        ]
    labels = at.observe(1).labels()
    assert labels.cards(in_play(at, 0).tokens) == "a Navy card"


def test_a_card_without_a_call_yet_has_none() -> None:
    at = set_up(NAVY, PIRATES).act("place gunner")
    assert texts(at, 0) == [("Gunner", "", "face down")]
    assert texts(at, 1) == []


def test_the_gamon_moment_is_unmistakable() -> None:
    """The prompt names the call and the decision."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5", "place boatswain", "call 3")
    assert prompt_for(at, 1) == "Believe the call of 5, or cry Gamon"
    assert shown(at, 1).endswith("1. gamon 2. believe")
    at.act("believe")
    assert prompt_for(at, 0) == "Believe the call of 3, or cry Gamon"


def test_every_turn_of_the_round_shows_how_it_ended() -> None:
    """The value that was compared, or whether the doubted call was true."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", "believe", "gamon")
    assert texts(at, 0) == [("Gunner", "calls 4", "won")]
    assert texts(at, 1) == [("Boatswain", "GAMON! 6", "lie: lost")]
    at = set_up(NAVY, PIRATES).turn("high-officer 3", "cannoneer 4")
    at.turn("gunner 4", "deckhand 1", "gamon")
    assert texts(at, 0) == [
        ("High Officer", "calls 3", "3: lost"),
        ("Gunner", "GAMON! 4", "true: won"),
    ]
    assert texts(at, 1) == [("Cannoneer", "calls 4", "4: won"), ("Deckhand", "calls 1", "lost")]


def test_texts_on_cards_fit() -> None:
    """The values of the longest ones are below zero."""
    at = set_up("gunner corsair", "the-kraken boatswain").turn("gunner 4", "the-kraken 5")
    at.act("place corsair", "call 3", "place boatswain", "call 2", "believe")
    assert all(len(text) <= 9 for card in texts(at, 0) for text in card[1:])


def test_conditions_of_the_round_are_shown_while_they_matter() -> None:
    """Lost battles, cries of Gamon and turns won by them are shown for the cards that ask."""
    at = set_up(NAVY, PIRATES).turn("gunner 3", "boatswain 2", "gamon")
    assert badges(at, 0) == ["Navy", "attacks", "battle lost"]
    assert badges(at, 1) == ["Pirate", "defends", "cried Gamon"]
    late = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", "believe", "gamon")
    assert badges(late, 0) == ["Navy", "attacks", "won by Gamon"]
    late.turn("corsair 3", "cannoneer 4")
    assert badges(late, 0) == ["Navy", "attacks", "battle lost", "won by Gamon"]
    late.turn("high-officer 3", "deckhand 1")
    assert badges(late, 0) == ["Navy", "defends"], "another round has begun"


def test_a_waiting_bonus_is_shown_until_the_card_is_turned_up() -> None:
    """Gamon N16: a waiting +2 or -2 belongs to the next card that is placed."""
    at = set_up("gunner corsair", "the-kraken boatswain").turn("gunner 4", "the-kraken 5")
    assert "next card −2" in badges(at, 0)
    at.act("place corsair")
    assert "this card −2" in badges(at, 0)


def test_discards_of_both_decks_are_shown() -> None:
    """The last ones are shown by name, and all of them when the cursor points at them."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 2").turn("corsair 4", "cannoneer 4")
    assert "discard (2): Corsair, Gunner" in shown(at, 1)
    assert "discard (2): Cannoneer, Boatswain" in shown(at, 1)
    late = set_up(NAVY, PIRATES, only_named=True)
    pile = [x for x in text_of(late.observe(0), NAMES, 100).splitlines() if "discard (24):" in x]
    assert len(pile) == 1, "however long, it takes up one line"
    areas = view_of(late.observe(0), NAMES).areas
    places = [(area.caption, area.seat) for area in areas if isinstance(area, AreaView)]
    discard = places.index(("discard", 1))
    explained = Explainer(late.observe(0), NAMES).explain(Spot("area", 0, discard))
    assert explained.startswith("Bob: discard\n24 cards: ")
    assert explained.count("All Hands Hoay!") == 3


def test_an_unseen_card_is_explained_by_its_possible_faces() -> None:
    """They are the copies left in its deck, without those that conditions and the call exclude."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5")
    spots = view_of(at.observe(1), NAMES).spots()
    spot = next(s for s in spots if (s.kind, s.key) == ("card", at.state.placed[0][0]))
    text = Explainer(at.observe(1), NAMES).explain(spot)
    assert text.startswith("A Navy card\nOne of 27 cards not seen yet: ")
    assert "Corsair" in text
    assert "Captain Mayn" in text
    assert "Ship in the Fog" not in text, "it was called 5"
    assert "Lord of the Seas" not in text, "purses are equal"
    assert "Boatswain" not in text


@pytest.mark.parametrize(
    ("hands", "turn", "prompt"),
    [
        (
            ("petty-officer corsair", PIRATES),
            ("petty-officer 1", "cannoneer 4"),
            "Remove coins",
        ),
        ((NAVY, "gambling-drunk boatswain"), ("gunner 4", "gambling-drunk 2"), "Pay a coin"),
        (
            ("corsair gunner", PIRATES),
            ("corsair 1", "polly-the-parrot 1", "gamon"),
            "Move coins",
        ),
    ],
)
def test_choices_are_asked_for_in_words(
    hands: tuple[str, str], turn: tuple[str, ...], prompt: str
) -> None:
    """The prompt names the use of the amount."""
    at = set_up(*hands, purse=(3, 3)).turn(*turn)
    assert prompt_for(at, at.state.seat).startswith(prompt)


@pytest.mark.parametrize("seed", range(4))
def test_no_line_of_the_text_is_wider_than_a_terminal(seed: int) -> None:
    """Long lists of cards go on in the next line."""
    game = Gamon()
    settings, rng = resolve_options(game, {}, 2), Random(seed)
    state = initial_state(game, settings, 2, shuffled_pack(game, settings, 2, rng))
    pass_chance(game, state, rng)
    while state.seat != OVER:
        text = text_of(Observation(game, state, state.seat), NAMES, 80)
        assert max(map(cells, text.splitlines())) <= 80
        game.apply(state, game.random_action(state, rng))
