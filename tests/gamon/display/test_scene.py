"""The scene of Gamon."""

from random import Random

import pytest

from cardhub.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.hidden.chance import pass_chance
from cardhub.hidden.observation import Observation
from cardhub.table.state import OVER
from cardhub.text import lay_out, render
from cardhub.text.sheet import Sheet
from cardhub.view.explanations import Explainer
from cardhub_gamon import Gamon

from ..positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer hms-peril"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass polly-the-parrot"
NAMES = ["Anna", "Bob"]
# The width of the table beside the log, on a terminal of 80 cells.
BOARD = 54


def sheet(at: Position, viewer: int) -> Sheet:
    """Return the table as laid out for a viewer."""
    return lay_out(at.observe(viewer), NAMES, BOARD)


def shown(at: Position, viewer: int) -> str:
    """Return the table as text, lines joined."""
    return " ".join(render(sheet(at, viewer)).split())


def test_coins_and_turns_are_shown() -> None:
    """Both purses, pile, prize, turns won."""
    at = set_up(NAVY, PIRATES, prize=2, purse=(3, 5), pile=20)
    at.turn("gunner 4", "boatswain 2")
    text = shown(at, 0)
    assert "prize three coins · pile 19 coins · round 1, turn 2" in text
    assert "Bob Pirate defends purse 5 won 0/2" in text
    assert "Anna Navy attacks purse 3 won 1/2" in text


def test_calls_stand_beside_the_cards() -> None:
    """The calls beside the face-down cards; the opponent's card is a back."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5", "place boatswain", "call 3")
    assert "face down 1 called 5 N" in shown(at, 1)
    assert "face down 1 called 3 Boatswain" in shown(at, 1)
    assert "face down 1 called 5 Gunner" in shown(at, 0)
    at.act("believe", "believe")
    assert "played 1 called 5 Gunner" in shown(at, 1)


def test_the_gamon_moment_is_unmistakable() -> None:
    """The prompt names the call and the decision."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5", "place boatswain", "call 3")
    assert sheet(at, 1).prompt == "the other face-down card was called 5: cry Gamon, or believe?"
    assert shown(at, 1).endswith("[gamon] [believe]")
    at.act("believe")
    assert sheet(at, 0).prompt == "the other face-down card was called 3: cry Gamon, or believe?"


def test_the_outcome_is_explained_after_the_flip() -> None:
    """After the flip the table explains the outcome."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", "believe", "gamon")
    assert "last turn Gunner; won discard" in shown(at, 1)
    assert "last turn Boatswain: called 6, base 2: a lie; lost" in shown(at, 1)
    at.turn("high-officer 3", "cannoneer 4")
    assert "last turn High Officer 3 + 2 for one card played = 5; won" in shown(at, 0)
    assert "last turn Cannoneer 4; lost" in shown(at, 0)


def test_conditions_of_the_round_are_shown_while_they_matter() -> None:
    """Lost battles, cries of Gamon and turns won by them are shown for the cards that ask."""
    at = set_up(NAVY, PIRATES).turn("gunner 3", "boatswain 2", "gamon")
    assert "Navy attacks purse 0 won 0/2 battle lost played" in shown(at, 0)
    assert "Pirate defends purse 0 won 1/2 cried Gamon played" in shown(at, 0)
    late = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", "believe", "gamon")
    assert "won 1/2 won by Gamon played" in shown(late, 1)
    late.turn("high-officer 3", "cannoneer 4")
    assert "won by Gamon" not in shown(late, 0), "another round has begun"


def test_a_waiting_bonus_is_shown_until_the_card_is_turned_up() -> None:
    """Gamon N16: a waiting +2 or -2 belongs to the next card that is placed."""
    at = set_up("gunner corsair", "the-kraken boatswain").turn("gunner 4", "the-kraken 5")
    assert "next card -2" in shown(at, 0)
    at.act("place corsair")
    assert "this card -2" in shown(at, 0)


def test_discards_of_both_decks_are_shown() -> None:
    """Discards of both decks, the last ones by name and all for who points at them."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 2").turn("corsair 4", "cannoneer 4")
    assert "discard 2 Gunner Corsair" in shown(at, 1)
    assert "discard 2 Boatswain Cannoneer" in shown(at, 1)
    late = set_up(NAVY, PIRATES, only_named=True)
    pile = [line for line in render(sheet(late, 0)).splitlines() if "discard 24 …" in line]
    assert len(pile) == 1, "however long, it takes up one line"
    spots = [s.spot for line in sheet(late, 0).lines for s in line if s.text == "discard"]
    explained = Explainer(late.observe(0), NAMES).explain(spots[0])  # type: ignore[arg-type]  # set
    assert explained.startswith("Bob: discard, 24 cards: ")
    assert explained.count("All Hands Hoay!") == 3


def test_an_unseen_card_is_explained_by_its_possible_faces() -> None:
    """Copies left in its deck, without those that conditions and the call exclude."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 5")
    spots = [
        span.spot
        for line in sheet(at, 1).lines
        for span in line
        if span.spot and (span.spot.kind, span.spot.key) == ("card", at.state.placed[0][0])
    ]
    told = Explainer(at.observe(1), NAMES).explain(spots[0])
    assert told.startswith("a Navy card, one of 27 unseen: ")
    assert "Corsair" in told
    assert "Captain Mayn" in told
    assert "Ship in the Fog" not in told, "it was called 5"
    assert "Lord of the Seas" not in told, "purses are equal"
    assert "Boatswain" not in told


@pytest.mark.parametrize(
    ("hands", "turn", "prompt"),
    [
        (("petty-officer corsair", PIRATES), ("petty-officer 1", "cannoneer 4"), "remove how many"),
        ((NAVY, "gambling-drunk boatswain"), ("gunner 4", "gambling-drunk 2"), "pay a coin"),
        (("corsair gunner", PIRATES), ("corsair 1", "polly-the-parrot 1", "gamon"), "move how"),
    ],
)
def test_choices_are_asked_for_in_words(
    hands: tuple[str, str], turn: tuple[str, ...], prompt: str
) -> None:
    """The prompt names the use of the amount."""
    at = set_up(*hands, purse=(3, 3)).turn(*turn)
    assert sheet(at, at.state.seat).prompt.startswith(prompt)


@pytest.mark.parametrize("seed", range(12))
def test_the_table_fits_a_terminal_of_80_by_24(seed: int) -> None:
    """At the Gamon moment, and whenever cards lie face down, nothing scrolls: 20 lines of 54."""
    game = Gamon()
    settings, rng = resolve_options(game, {}, 2), Random(seed)
    state = initial_state(game, settings, 2, shuffled_pack(game, settings, 2, rng))
    pass_chance(game, state, rng)
    while state.seat != OVER:
        laid = lay_out(Observation(game, state, state.seat), NAMES, BOARD)
        assert max(len(line.rstrip()) for line in render(laid).splitlines()) <= BOARD
        if any(state.placed):
            assert len(render(laid).splitlines()) <= 20, render(laid)
        game.apply(state, game.random_action(state, rng))
