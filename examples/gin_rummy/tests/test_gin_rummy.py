"""Gin Rummy: the rules by example, and the checks of the contract."""

from random import Random

import pytest

from cardhub import OVER, Value, advance
from cardhub.play import Table as TableInPlay
from cardhub.play import play_game
from cardhub.testing import ByHand, checks, initial_state, resolve_options
from gin_rummy import GinRummy
from gin_rummy.cards import CARDS
from gin_rummy.heuristics import arrange
from gin_rummy.melds import MELDS, deadwood, meld_name
from gin_rummy.table import DEAL, Phase, Table

GIN = GinRummy()
test_gin_rummy = checks(GIN, games=1)

# Ten cards each: three melds and a two; and a hand with much deadwood.
LOW = "5H 6H 7H 8S 8C 8D JS QS KS 2C"
HIGH = "AS 3S 5C 7C 9C 9D JD QD KH KC"


def begun(seed: int = 1, **options: Value) -> TableInPlay:
    """Return a game in which the first deal is dealt."""
    return TableInPlay(GIN, options=options, seed=seed)


def at_table(
    first: str, second: str, upcard: str = "", stock: str = "", **options: Value
) -> ByHand[Table]:
    """Return a position with these hands, seat 0 to draw; the stock is drawn from the left."""
    at = ByHand(GIN, 2, options)
    for seat, names in enumerate((first, second)):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.put_all(at.take(upcard), at.state.discards)
    drawn = at.take(stock)
    rest = [token for token in at.left if token not in drawn]
    at.state.put_all([*rest, *reversed(drawn)], at.state.stock)
    at.state.seat, at.state.phase = 0, Phase.DRAW
    return at


def knocked(first: str, second: str, *actions: str, **options: Value) -> ByHand[Table]:
    """Return a position in which seat 0 knocks, discards a king that it draws, and then acts."""
    at = at_table(first, second, "4S", "KD", **options)
    return at.act("draw", "knock", "discard KD", *actions)


def too_much(left: int) -> str:
    """Return the reason against an action that leaves this deadwood."""
    return f"your deadwood would be {left}, and at most 10 is allowed"


def cards(names: str) -> int:
    """Return the faces of cards as bits."""
    return sum(1 << CARDS.face(name) for name in names.split())


def test_both_get_ten_cards_and_a_card_is_turned_up() -> None:
    """R1: the other 31 are the stock."""
    state = begun().observation(2).state
    assert [len(pile) for pile in (*state.hand, state.discards, state.stock)] == [10, 10, 1, 31]


@pytest.mark.parametrize(
    ("names", "melds", "left"),
    [
        ("5H 6H 7H 8S 8C 8D", ["5H-7H", "8SCD"], 0),
        ("AS 2S 3S QH KH AH", ["AS-3S"], 21),  # the ace is low
        ("6S 7S 8S 6C 7C 8C 8D", ["6S-8S", "6C-8C"], 8),  # not the three eights
        ("4D 5D 6D 7D 7S 7H", ["4D-6D", "7SDH"], 0),
        ("4D 5D 6D 7D 8D 9D 10D", ["4D-6D", "7D-10D"], 0),  # a long run is laid as two
        ("KS AC 2C 2D 3D", [], 18),  # runs do not go on in the next suit
        ("9S 9C 9D 9H", ["9SCDH"], 0),
    ],
)
def test_melds_are_arranged_to_leave_the_least_deadwood(
    names: str, melds: list[str], left: int
) -> None:
    """R2 and R3: of many arrangements one with the least deadwood is chosen."""
    assert deadwood(cards(names)) == left
    arranged = arrange(cards(names))
    assert cards(names) & ~sum(arranged) == cards(names) ^ sum(arranged)
    assert len(arranged) == len(melds)
    if len(names.split()) < 7:
        assert {meld_name(meld) for meld in arranged} == set(melds)


def test_there_are_65_sets_and_120_runs() -> None:
    """Sets of three and four, and runs of three to five, as in OpenSpiel."""
    assert len(MELDS) == len(set(MELDS)) == 65 + 120
    assert (meld_name(MELDS[0]), meld_name(MELDS[64]), meld_name(MELDS[65])) == (
        "ACDH",
        "KSCDH",
        "AS-3S",
    )


def test_the_first_upcard_is_offered_to_both_before_a_card_is_drawn() -> None:
    """R4: after two passes the first player draws."""
    at = at_table(LOW, HIGH, "4S", "4H")
    at.state.phase = Phase.UPCARD
    assert at.legal() == {"take", "pass"}
    assert at.act("pass").state.seat == 1
    assert at.legal() == {"take", "pass"}
    assert at.act("pass").state.seat == 0
    assert at.legal() == {"draw"}
    at.act("draw", "discard 4H")
    assert at.legal() == {"draw", "take"}


def test_an_upcard_that_was_just_taken_cannot_be_discarded() -> None:
    """R5: a card from the stock can."""
    at = at_table(HIGH, LOW, "4S", "4H").act("take")
    assert "discard 4S" not in at.legal()
    at = at_table(HIGH, LOW, "4S", "4H").act("draw")
    assert {"discard 4H", "discard KH"} <= at.legal()
    assert "knock" not in at.legal()


def test_a_card_taken_from_the_discards_is_known_to_the_other_player() -> None:
    """A card from the stock is not."""
    at = at_table(HIGH, LOW, "4S", "4H").act("take", "discard KH", "draw")
    assert [at.observe(1).labels().is_known(token) for token in at.state.hand[0]] == [
        at.cards([token]) == "4S" for token in at.state.hand[0]
    ]
    assert not at.observe(0).labels().is_known(at.state.hand[1][-1])


@pytest.mark.parametrize(("limit", "can_knock"), [(10, True), (2, True), (1, False), (0, False)])
def test_a_knock_needs_little_deadwood_after_the_discard(limit: int, can_knock: bool) -> None:
    """R6: the two of clubs is left."""
    at = at_table(LOW, HIGH, "4S", "KD", limit=limit).act("draw")
    assert ("knock" in at.legal()) == can_knock
    if can_knock:
        assert at.act("knock").legal() == (
            {"discard KD", "discard 2C"} if limit == 10 else {"discard KD"}
        )


def test_the_hand_of_a_knocker_is_laid_down() -> None:
    """R6: the other hand is when the knocker's melds lie."""
    at = at_table(LOW, HIGH, "4S", "KD").act("draw", "knock")
    known = at.observe(1).labels().is_known
    assert all(known(token) for token in at.state.hand[0])
    known = at.observe(0).labels().is_known
    assert not any(known(token) for token in at.state.hand[1])
    at.act("discard KD", "meld 5H-7H", "meld 8SCD", "meld JS-KS", "done")
    known = at.observe(0).labels().is_known
    assert all(known(token) for token in at.state.hand[1])


def test_melds_are_laid_until_the_deadwood_is_low_enough() -> None:
    """Melds that would leave too much cannot be laid; in the end a meld may be kept back."""
    at = knocked("6S 7S 8S 6C 7C 8C 8D AH AD AC", LOW.replace("8S 8C 8D", "9S 9C 9D"))
    # Not three eights: the sixes and sevens would be left.
    assert at.legal() == {"meld 6S-8S", "meld 6C-8C", "meld ACDH"}
    at.act("meld 6S-8S", "meld 6C-8C")
    assert at.legal() == {"meld ACDH"}
    assert at.act("meld ACDH").legal() == {"done"}


def test_cards_are_laid_off_on_the_melds_of_a_knocker() -> None:
    """R7: runs can be extended repeatedly, on both ends, until the player is done."""
    at = knocked(LOW, "3H 4H 8H 9H 10H JH 10S 9S AD AC", "meld 5H-7H", "meld 8SCD", "meld JS-KS")
    at.act("done")
    assert at.state.seat == 1
    assert at.legal() == {"layoff 4H", "layoff 8H", "layoff 10S", "done"}
    at.act("layoff 8H", "layoff 9H", "layoff 10H", "layoff 4H")
    assert at.legal() == {"layoff 3H", "layoff JH", "layoff 10S", "done"}
    assert at.cards(at.state.melds[0]) == "5H 6H 7H 8H 9H 10H 4H"
    assert at.act("done").legal() == {"done"}


def test_no_card_is_laid_off_against_gin() -> None:
    """R7: the other player lays melds directly, and gin wins 25 points more (R8)."""
    at = knocked("5H 6H 7H 8S 8C 8D 10S JS QS KS", "4H 8H AS AC AD 2S 2C 9D 9C JH", single=True)
    at.act("meld 5H-7H", "meld 8SCD", "meld 10S-KS", "done")
    assert at.legal() == {"meld ASCD", "done"}
    at.act("meld ASCD", "done")
    assert at.state.seat == OVER
    assert GIN.scores(at.state) == [4 + 8 + 2 + 2 + 9 + 9 + 10 + 25, -69]


@pytest.mark.parametrize(
    ("second", "melds", "score"),
    [
        (HIGH, (), 74 - 2),
        ("3S 3C 3D 9S 9D 9C AC AD AH 3H", ("meld 3SCDH", "meld 9SCD", "meld ACDH"), 0 - 2 - 25),
        ("3S 3C 3D 9S 9D 9C AC AD AH 2H", ("meld 3SCD", "meld 9SCD", "meld ACDH"), -25),
        ("3S 3C 3D 9S 9D 9C AC AD AH 3H", ("meld 3SCDH", "meld 9SCD"), 3 - 2),  # aces not laid
    ],
)
def test_the_knocker_wins_the_difference_or_is_undercut(
    second: str, melds: tuple[str, ...], score: int
) -> None:
    """R8: by lower deadwood, or the same; the knocker has 2."""
    at = knocked(LOW, second, "meld 5H-7H", "meld 8SCD", "meld JS-KS", "done", single=True)
    at.act("done", *melds, "done")
    assert at.state.seat == OVER
    assert GIN.scores(at.state) == [score, -score]


def test_with_two_cards_in_the_stock_the_next_player_may_only_knock_with_the_upcard() -> None:
    """R9: it is kept, and another card is discarded."""
    at = at_table(HIGH, LOW.replace("2C", "10H"), stock="KD", single=True)
    at.state.put_all(at.state.stock[2:-1], at.state.discards)
    del at.state.stock[2:-1]
    at.act("draw", "discard AS")
    assert at.legal() == {"knock", "pass"}
    assert at.act("knock").legal() == {"discard 10H"}
    at.act("discard 10H", "meld 5H-7H", "meld 8SCD", "meld JS-KS", "done")
    assert at.state.seat == 0


def test_a_void_deal_wins_nothing_and_two_in_succession_end_the_game() -> None:
    """R9: the first player changes from deal to deal (R10)."""
    table = begun()
    first = []
    while not table.is_over:
        state = table.observation(2).state
        if state.phase == Phase.UPCARD and not state.passes:
            first.append(state.seat)
        labels = table.observation().labels()
        actions = {labels.notation(action): action for action in table.observation().legal()}
        actions.pop("knock", None)
        table.act(actions.get("pass", actions.get("draw", max(actions.values()))))
    assert first == [0, 1]
    assert table.scores == [0, 0]


def test_the_upcard_can_be_taken_forty_nine_times_in_a_deal() -> None:
    """Then the deal is void; so each deal ends."""
    table = begun(single=True)
    table.act(table.observation(0).legal()[0])
    taken = 0
    while not table.is_over:
        legal = table.observation().legal()
        takes = table.observation(2).state.phase == Phase.DRAW
        taken += takes
        table.act(legal[-1])
    assert taken == 50
    assert table.scores == [0, 0]


def test_the_game_goes_on_until_a_player_has_the_target() -> None:
    """R10: points of deals add up; the score is the difference."""
    rng = Random(3)
    settings = resolve_options(GIN, {"target": 60}, 2)
    state = initial_state(GIN, settings, 2, rng.sample(range(52), 52))
    points = [[0, 0]]
    while state.seat != OVER:
        advance(
            GIN, state, GIN.heuristics.playout_action(state, rng) if state.seat >= 0 else DEAL, rng
        )
        points += [state.points[:]] if state.points != points[-1] else []
    assert len(points) > 2
    assert max(points[-2]) < 60 <= max(points[-1])
    lead = points[-1][0] - points[-1][1]
    assert GIN.scores(state) == [lead, -lead]


def test_search_beats_random_play_by_many_points() -> None:
    """Twenty determinizations with short playouts are enough to knock first."""
    bots, single = ["ismcts:20", "random"], {"single": True}
    assert sum(play_game(GIN, bots, options=single, seed=seed).scores[0] for seed in range(3)) > 60


def test_an_evaluation_favours_the_hand_with_less_deadwood() -> None:
    at = at_table(LOW, HIGH, "4S", "KD", single=True)
    assert GIN.heuristics.evaluate(at.state)[0] > 0
    at = knocked(LOW, HIGH)
    assert GIN.heuristics.evaluate(at.state) == [74 - 2, 2 - 74]


KNOCK = ("draw", "knock")
LAID = (*KNOCK, "discard KD", "meld 5H-7H", "meld 8SCD", "meld JS-KS", "done")


@pytest.mark.parametrize(
    ("actions", "tried", "reason"),
    [
        ((), "discard 2C", "first draw a card"),
        (("draw",), "take", "you have drawn a card, so discard one, or knock"),
        (("draw",), "meld 8SCD", "melds are laid after a knock"),
        (("draw", "discard KD", "take"), "discard KD", "you have taken it in this turn"),
        (("draw", "discard KD", "take"), "knock", too_much(44)),
        (KNOCK, "discard JS", too_much(32)),
        ((*KNOCK, "discard KD"), "done", too_much(74)),
        ((*KNOCK, "discard K♦"), "meld ASCD", "you do not hold A♠ A♣ A♦"),
        (LAID, "layoff 2C", "it is not in your hand"),
        (LAID, "layoff KH", "it fits none of the melds"),
        (
            (*LAID, "done"),
            "layoff 9C",
            "cards are laid off before your own melds, and never against gin",
        ),
        ((), "draw", None),
    ],
)
def test_players_are_told_why_an_action_is_not_legal(
    actions: tuple[str, ...], tried: str, reason: str | None
) -> None:
    at = at_table(LOW, HIGH, "4S", "KD").act(*actions)
    assert at.why_not(tried) == reason


@pytest.mark.parametrize(
    ("upcard", "text"),
    [
        ("AC", "with the best discard, your deadwood would be 1 instead of 2"),
        ("2D", "with the best discard, your deadwood would stay 2"),
    ],
)
def test_a_consequence_compares_no_equal_numbers(upcard: str, text: str) -> None:
    at = at_table(LOW, HIGH, upcard)
    labels = at.observe(0).labels()
    take = labels.parse("take", GIN.legal(at.state))
    assert GIN.display.consequence(at.state, take, labels) == text
