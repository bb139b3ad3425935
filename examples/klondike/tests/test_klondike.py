"""Klondike: the rules by example, and the checks of the contract."""

from random import Random

from cardhub import OVER, Area
from cardhub.testing import ByHand, checks, initial_state, resolve_options, shuffled_pack
from klondike import Klondike
from klondike.game import CARDS, COLUMNS, SUIT, Table

KLONDIKE = Klondike()
test_klondike = checks(KLONDIKE, games=1)


def at_table(
    *columns: str, home: str = "", waste: str = "", stock: str = "", **options: int
) -> ByHand[Table]:
    """Return a position; of a column such as `7S / 9H 8C` the cards before `/` lie face down."""
    at = ByHand(KLONDIKE, 1, options)
    at.state.passes = 1
    for number, cards in enumerate(columns):
        down, _, up = cards.rpartition("/")
        at.state.put_all(at.take(down), at.state.hidden, number)
        at.state.put_all(at.take(up), at.state.column, number)
    for token in at.take(home):
        at.state.put(token, at.state.home, SUIT[at.state.face[token]])
    at.state.put_all(at.take(waste), at.state.waste)
    at.state.put_all(at.take(stock), at.state.stock)
    return at


def test_seven_columns_of_one_to_seven_cards_are_dealt_each_with_its_last_card_open() -> None:
    """R1."""
    settings = resolve_options(KLONDIKE, {}, 1)
    state = initial_state(KLONDIKE, settings, 1, shuffled_pack(KLONDIKE, settings, 1, Random(1)))
    assert [len(state.hidden[n]) for n in COLUMNS] == list(range(7))
    assert [len(state.column[n]) for n in COLUMNS] == [1] * 7
    assert len(state.stock) == 24


def test_home_begins_with_an_ace_and_rises_in_its_suit() -> None:
    """R2."""
    legal = at_table("2C", "AH", "3H", "2S", home="AC").legal()
    assert {name for name in legal if name.startswith("send")} == {"send home 2C", "send home AH"}


def test_columns_fall_in_rank_and_alternate_in_colour() -> None:
    """R3."""
    assert at_table("10S", "9H", "9C", "8D").legal() == {"move to 1 9H", "move to 3 8D"}


def test_the_open_cards_of_a_column_move_together() -> None:
    """R3: neither part of them moves alone."""
    at = at_table("10S", "KC / 9H 8C 7D", "9D")
    assert at.legal() == {"move to 1 9H", "move to 1 9D"}
    at.act("move to 1 9H")
    assert at.cards(at.state.column[0]) == "10S 9H 8C 7D"


def test_only_kings_go_to_an_empty_column_and_none_without_need() -> None:
    """R3: a king that leaves an empty place would gain nothing."""
    at = at_table("QC / KS", "KH", "5C", "9D", "9H", "9S", waste="KD", passes=1)
    assert at.legal() == {"move to 7 KS", "move to 7 KD"}


def test_the_last_hidden_card_is_turned_up_when_no_open_card_is_left() -> None:
    """R4."""
    at = at_table("10S", "KC QC / 9H").act("move to 1 9H")
    assert at.cards(at.state.column[1]) == "QC"
    assert len(at.state.hidden[1]) == 1


def test_the_stock_turns_and_begins_again_until_its_passes_are_over() -> None:
    """R5."""
    at = at_table("9D", "9H", waste="2C", stock="4C 5C", passes=2).act("turn", "turn", "turn")
    assert at.state.passes == 2
    assert len(at.state.stock) == 3
    at.act("turn", "turn", "turn")
    assert at.state.seat == OVER


def test_three_cards_can_be_turned_at_once() -> None:
    """R5."""
    at = at_table("9D", stock="2C 3C 4C 5C", draw=3).act("turn")
    assert at.cards(at.state.waste) == "5C 4C 3C"


def test_the_game_is_won_when_the_last_king_is_home() -> None:
    """R6."""
    rest = " ".join(card.name for card in CARDS.faces if card.name != "KH")
    at = at_table("KH", home=rest).act("send home KH")
    assert at.state.seat == OVER
    assert KLONDIKE.scores(at.state) == [52]
    assert at.log_lines(0)[-1] == "All cards are home"


def test_hidden_cards_are_drawn_below_the_open_ones_of_their_column() -> None:
    at = at_table("7S / 9H 8C")
    scene = at.observe(0).scene()
    column = next(area for area in scene.areas if area.caption == "column 1")
    assert isinstance(column, Area)
    assert column.look == "column"
    assert column.tokens == [*at.state.hidden[0], *at.state.column[0]]


def test_actions_are_named_by_their_cards_and_places() -> None:
    at = at_table("10S", "2C", home="AC", stock="5C")
    names = at.observe(0).labels(["Anna"]).choices(at.observe(0).legal())
    assert [*names] == ["turn the stock", "send 2♣ home"]


def test_reasons_name_the_rule() -> None:
    at = at_table("10S", "KC / 9H 8C 7D", "9D")
    assert at.why_not("move to 3 8C") == (
        "only the last card of the waste, and the face-up cards of a column, can move"
    )
    assert (at.why_not("move to 3 9H") or "").startswith("a column falls in rank")
    assert (at.why_not("send home 9D") or "").startswith("home rises from the ace")
