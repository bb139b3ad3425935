"""Hearts: the rule-based bot, thumb rule by thumb rule."""

from random import Random

import pytest

from cardhub import Observation
from cardhub.play import SeatPlayer, play_game
from cardhub.testing import ByHand, check_spec, find_plugins
from hearts import Ducker, Hearts
from hearts.table import PASSING, PLAYING, Table

HEARTS = Hearts()
GAMES = 24


def chosen(hand: str, trick: str = "", phase: int = PLAYING, taken: str = "2C 3C 4C 5C") -> str:
    """Return the card that the last seat chooses, after cards of others that lead clubs or more."""
    at = ByHand(HEARTS, 4)
    state = at.state
    laid = trick.split()
    state.leader = 3 - len(laid)
    for step, name in enumerate(laid):
        state.put_all(at.take(name), state.laid, state.leader + step)
    state.put_all(at.take(taken), state.taken, 0)
    state.put_all(at.take(hand), state.hand, 3)
    state.seat, state.phase = 3, phase
    return _name(state, Ducker(Random(1)).choose(Observation(HEARTS, state, 3)))


def _name(state: Table, action: int) -> str:
    labels = Observation(HEARTS, state, 3).labels()
    return labels.notation(action).split()[-1]


@pytest.mark.parametrize(
    ("hand", "passed"),
    [
        ("QS 4S 9D AD 3H 2D", "QS"),
        ("AS 4S 9D AD 3H 2D", "AS"),
        ("QS 4S 6S 7S 8S AH 2D", "AH"),
        ("9D JD AD 3H KH 2S", "KH"),
    ],
)
def test_it_passes_the_queen_of_spades_unless_spades_guard_her(hand: str, passed: str) -> None:
    assert chosen(hand, phase=PASSING) == passed


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("6D 9D KD", "10D 5D 3D", "KD"),
        ("6D 9D KD", "10D 2H", "9D"),
        ("6D 9D KD", "10D 2H 3D", "9D"),
        ("JD QD KD", "10D 2H", "JD"),
        ("JD QD KD", "10D 2H 3D", "KD"),
        ("QS 2S", "KS 3S 4S", "QS"),
        ("QS 2S", "9S 3S 4S", "2S"),
    ],
)
def test_it_plays_the_highest_card_that_ducks_where_points_may_come(
    hand: str, trick: str, played: str
) -> None:
    assert chosen(hand, trick) == played


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [("QS KD AH", "QS"), ("AS KD AH", "AS"), ("KD 9H 7C", "9H"), ("KC QD 3D 2D", "KC")],
)
def test_without_the_suit_led_it_throws_what_could_hurt(hand: str, thrown: str) -> None:
    """The queen, then what catches her, hearts, and high cards of short suits."""
    # Diamonds and clubs are in some of these hands, so a suit leads that none has.
    led = "10S" if "S" not in hand else "10C"
    assert chosen(hand, led) == thrown


@pytest.mark.parametrize(
    ("hand", "led"), [("3D KD AC", "3D"), ("4S 2D 3D", "4S"), ("KS 3D 9D", "3D"), ("QS 9D", "9D")]
)
def test_it_leads_low_and_hunts_the_queen(hand: str, led: str) -> None:
    """A low spade makes another seat play her; a high one could catch her."""
    assert chosen(hand) == led


def test_it_wins_half_of_its_games_against_three_random_players() -> None:
    """Equal players win a quarter; over 500 games it won 64 %."""
    won = 0.0
    for number in range(GAMES):
        seat = number % 4
        bots: list[SeatPlayer] = ["random"] * 4
        bots[seat] = Ducker
        table = play_game(HEARTS, bots, seed=number)
        places = table.places
        won += (places[seat] == 1) / places.count(1)
    assert won / GAMES > 0.5


def test_nothing_is_wrong_with_it() -> None:
    """The same seed gives the same answers, and it needs no card that it has not seen."""
    registry = find_plugins()
    assert check_spec(registry, "rule", "hearts", positions=60, seed=2).findings == ()
    registry.close()
