"""Four piles: the rules by example, and the checks of the contract."""

from random import Random
from statistics import mean

import pytest

from cardhub import OVER, Area, Value
from cardhub.play import NAMES, play_game
from cardhub.testing import (
    ByHand,
    checks,
    initial_state,
    resolve_options,
    shuffled_pack,
)
from four_piles import FourPiles
from four_piles.table import NO_PILE, Table

FOUR_PILES = FourPiles()
test_four_piles = checks(FOUR_PILES, games=1)


def at_table(*hands: str, stack: str = "", **options: Value) -> ByHand[Table]:
    """Return a position with these hands and seat 0 to act; all other cards are out of play."""
    at = ByHand(FOUR_PILES, len(hands), options)
    for seat, names in enumerate(hands):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.put_all(at.take(stack), at.state.stack)
    return at


def lay(at: ByHand[Table], *moves: str) -> ByHand[Table]:
    """Lay cards in turn, each given as `45 A`."""
    for move in moves:
        card, pile = move.split()
        at.act(f"lay {card}", f"on {pile}")
    return at


@pytest.mark.parametrize(("seats", "size"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
def test_hands_are_smaller_with_more_players(seats: int, size: int) -> None:
    """R1: the rest of the 98 cards is the stack."""
    settings = resolve_options(FOUR_PILES, {}, seats)
    pack = shuffled_pack(FOUR_PILES, settings, seats, Random(1))
    state = initial_state(FOUR_PILES, settings, seats, pack)
    assert [len(hand) for hand in state.hand] == [size] * seats
    assert len(state.stack) == 98 - size * seats


def test_two_piles_rise_and_two_fall() -> None:
    """R2: the next card is higher on A and B, and lower on C and D."""
    at = lay(at_table("30 31 69 70", "5", stack="6"), "30 A", "70 C")
    assert at.act("lay 31", "on A").legal() > {"lay 69", "done"}
    assert at.act("lay 69").legal() == {"on A", "on B", "on C", "on D"}
    at = lay(at_table("30 29 71 70", "5", stack="6"), "30 A", "70 C")
    assert at.act("lay 29").legal() == {"on B", "on C", "on D"}
    assert at.act("on B", "lay 71").legal() == {"on A", "on B", "on D"}


@pytest.mark.parametrize(
    ("first", "back", "piles"),
    [
        ("45 A", "35", {"on A", "on B", "on C", "on D"}),  # exactly ten lower on a rising pile
        ("45 A", "36", {"on B", "on C", "on D"}),
        ("45 C", "55", {"on A", "on B", "on C", "on D"}),  # ten higher on a falling pile
        ("45 C", "56", {"on A", "on B", "on D"}),
    ],
)
def test_a_step_back_is_exactly_ten(first: str, back: str, piles: set[str]) -> None:
    """R3: a step back by another number is refused."""
    at = lay(at_table(f"{first.split()[0]} {back}", "5", stack="6 7"), first)
    assert at.act(f"lay {back}").legal() == piles


def test_a_turn_needs_two_cards_and_may_have_more() -> None:
    """R4: after the second one the turn can end."""
    at = lay(at_table("2 3 4", "50", stack="6"), "2 A")
    assert at.legal() == {"lay 3", "lay 4"}
    assert {"lay 4", "done"} < lay(at, "3 A").legal()


def test_one_card_is_enough_without_a_stack() -> None:
    """R4: the stack is empty at the beginning of the turn."""
    assert "done" in lay(at_table("2 3", "50"), "2 A").legal()


def test_the_player_draws_to_a_full_hand_at_the_end_of_the_turn() -> None:
    """R4: seven cards at a table of two, or as many as are left."""
    at = lay(at_table("2 3 4 5 6 7 8", "50", stack="20 21 22"), "2 A", "3 A").act("done")
    assert len(at.state.hand[0]) == 7
    assert (len(at.state.stack), at.state.seat) == (1, 1)
    at = lay(at_table("2 3 4", "50", stack="20"), "2 A", "3 A").act("done")
    assert (len(at.state.hand[0]), len(at.state.stack)) == (2, 0)


def test_a_signal_holds_until_the_next_turn_of_its_player() -> None:
    """R5: the other player may still lay a card on that pile."""
    at = lay(at_table("2 3 40", "50 51 60", stack="20 21 22 23"), "2 A", "3 A").act("keep B")
    assert at.state.kept == [1, NO_PILE]
    lay(at, "50 B", "51 B").act("done")
    assert at.state.kept == [NO_PILE, NO_PILE]


@pytest.mark.parametrize(("hands", "signals"), [(("2 3 4",), True), (("2 3 4", "50"), False)])
def test_no_signals_are_given_alone_or_if_the_option_is_off(
    hands: tuple[str, ...], signals: bool
) -> None:
    """R5: the turn ends with `done` only."""
    at = lay(at_table(*hands, signals=signals), "2 A")
    assert at.legal() == {"lay 3", "lay 4", "done"}


def test_a_player_without_cards_is_left_out() -> None:
    """R6: the turn goes to the next player who holds cards."""
    at = lay(at_table("2", "", "50"), "2 A").act("done")
    assert at.state.seat == 2


def test_all_win_with_the_last_card() -> None:
    """R7: the game ends immediately, without `done`."""
    at = lay(at_table("2", "50"), "2 A").act("done")
    assert lay(at, "50 C").state.seat == OVER
    assert FOUR_PILES.scores(at.state) == [2, 2]


def test_all_lose_if_a_player_cannot_lay_enough_cards() -> None:
    """R7: hands are shown, and cards on the piles count."""
    at = at_table("99 50", "40", stack="20")
    at.state.tops = [98, 98, 3, 3]
    assert lay(at, "99 A").legal() == {"stuck"}
    at.act("stuck")
    assert (at.state.seat, FOUR_PILES.scores(at.state)) == (OVER, [1, 1])
    assert [at.observe(2).labels().card(hand[0]) for hand in at.state.hand] == ["50", "40"]


def test_a_lower_highest_card_lowers_the_start_of_the_falling_piles() -> None:
    settings = resolve_options(FOUR_PILES, {"highest": 59}, 2)
    pack = shuffled_pack(FOUR_PILES, settings, 2, Random(1))
    state = initial_state(FOUR_PILES, settings, 2, pack)
    assert (len(pack), state.tops) == (58, [1, 1, 60, 60])


@pytest.mark.parametrize(
    ("moves", "refused", "reason"),
    [
        ("", "on A", "choose a card first"),
        ("", "done", "a turn needs 2 cards"),
        ("", "stuck", "you can lay a card"),
        ("30 A", "lay 50", "it is not in your hand"),
        ("30 A 20", "on A", None),
        ("30 A 19", "on A", "A rises from 30, and 19 is not 20"),
        ("70 C 75", "on C", "C falls from 70, and 75 is not 80"),
        ("70 C 75", "lay 20", "choose a pile for 75"),
    ],
)
def test_players_are_told_why_an_action_is_not_legal(
    moves: str, refused: str, reason: str | None
) -> None:
    """R3, R4: `moves` are a card on a pile, and perhaps a card chosen after it."""
    at = at_table("30 20 19 70 75", "50", stack="6 7")
    for word in moves.split():
        at.act(f"on {word}" if word in "ABCD" else f"lay {word}")
    assert at.why_not(refused) == reason


def test_an_evaluation_is_higher_with_more_room_on_the_piles() -> None:
    def value(*moves: str) -> float:
        at = at_table("2 3 35 45 90", "50")
        at.state.put_all(at.left, at.state.stack)
        return FOUR_PILES.heuristics.evaluate(lay(at, *moves).state)[0]

    long, short, back = value("45 A", "90 A"), value("45 A", "2 B"), value("45 A", "35 A")
    assert long < short < back < 98


def test_search_lays_more_cards_than_random_players() -> None:
    """All seats are worth the same to a bot: it plays for the table."""
    means = {}
    for spec in ("random", "ismcts:10"):
        means[spec] = mean(score_of(spec, seed) for seed in range(2))
    assert means["ismcts:10"] > means["random"] + 15


def score_of(spec: str, seed: int) -> int:
    """Return the score of a short game between equal bots."""
    return play_game(FOUR_PILES, [spec, spec], options={"highest": 79}, seed=seed).scores[0]


def test_a_signal_is_shown_at_the_pile_and_by_its_player() -> None:
    """The others see both until the player's next turn."""
    at = lay(at_table("2 3 40", "50 51", stack="20 21"), "2 A", "3 A").act("keep B")
    scene = at.observe(1).scene()
    notes = {area.caption: area.note for area in scene.areas if isinstance(area, Area)}
    assert notes["B rising"] == "1, keep off"
    assert scene.seats[0].badges == ["keep off B"]


def test_a_card_says_how_far_it_moves_a_pile_on() -> None:
    """The least step of all piles, or the pile that is chosen."""
    at = at_table("12 40 99", "50 51", stack="20 21")
    at.state.tops = [22, 1, 100, 100]
    assert said(at, "lay 12") == "best: pile A moves back by 10"
    assert said(at, "lay 99") == "best: pile C moves on by 1"
    assert said(at.act("lay 40"), "on A") == "pile A moves on by 18"


def test_the_end_of_a_turn_says_how_many_cards_are_drawn() -> None:
    at = lay(at_table("2 3 40", "50 51", stack="20 21"), "2 A", "3 A")
    assert said(at, "done") == "you draw 2 cards"
    assert said(at, "keep B") == "you draw 2 cards, and ask the others to keep off pile B"
    at.state.stack.clear()
    assert said(at, "done") == "your turn ends"


def said(at: ByHand[Table], notation: str) -> str:
    """Return the consequence of an action for the seat to act."""
    seen = at.observe(at.state.seat)
    labels = seen.labels(NAMES)
    return FOUR_PILES.display.consequence(seen.state, labels.parse(notation, seen.legal()), labels)
