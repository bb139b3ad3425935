"""Hearts: event texts, scenes and the checks of the contract."""

import pytest

from cardhub import Area
from cardhub.play import NAMES
from cardhub.play import Table as TableInPlay
from cardhub.testing import (
    ByHand,
    Trial,
    check_deals,
    check_guesses,
    check_playout,
    check_record,
    default_trial,
    resolve_options,
    trials,
)
from hearts import Hearts
from hearts.table import PASSING, PLAY, PLAYING, POINTS, Table

HEARTS = Hearts()
# Number of actions up to the end of the first trick: one deals, twelve pass, four play.
FIRST_TRICK = 1 + 12 + 4


def event_texts(viewer: int) -> list[str]:
    """Return the event texts of a viewer while each seat takes the first legal action."""
    table = TableInPlay(HEARTS, seed=3)
    while len(table.observation(4).history) < FIRST_TRICK:
        table.act(table.observation().legal()[0])
    return [line for moment in table.playthrough(viewer).moments for line in moment.lines]


@pytest.mark.parametrize(
    ("viewer", "lines", "unseen"),
    [
        (0, ["Bob gets 2♣, 2♥ and 7♣ from Anna", "Anna gets 9♣, 10♣ and J♠ from David"], 9),
        (1, ["Bob gets 2♣, 2♥ and 7♣ from Anna", "Chris gets 7♠, 3♣ and 5♠ from Bob"], 9),
        (4, [], 12),
    ],
)
def test_passed_cards_are_named_to_giver_and_receiver_only(
    viewer: int, lines: list[str], unseen: int
) -> None:
    """The other seats see that cards are passed, not which.

    After the last of the twelve all seats take their cards up: further lines say what came.
    """
    heard = event_texts(viewer)
    assert [line for line in heard if " gets " in line] == lines
    assert sum(line.endswith(" passes a card") for line in heard) == unseen


def test_event_texts_name_each_card_of_a_trick_and_its_winner() -> None:
    """The line of the winner has the points of the trick."""
    assert event_texts(4)[-6:] == [
        "Bob has 2♣ and leads",
        "Bob plays 2♣",
        "Chris plays Q♣",
        "David plays A♣",
        "Anna plays K♣",
        "David takes 2♣, Q♣, A♣ and K♣",
    ]


@pytest.mark.parametrize(("viewer", "shown"), [(0, "2♣ 10♣ 3♦ 8♠ Q♥"), (1, "? ? ? ? ?")])
def test_a_hand_is_sorted_by_suit_and_rank_for_its_owner(viewer: int, shown: str) -> None:
    """Clubs, diamonds, spades, hearts; the others see backs in the order of the deal."""
    at = ByHand(HEARTS, 4)
    at.state.put_all(at.take("QH 10C 8S 2C 3D"), at.state.hand, 0)
    observation = at.observe(viewer)
    areas = [area for area in observation.scene().areas if isinstance(area, Area)]
    (hand,) = (area for area in areas if area.seat == 0 and area.tokens)
    assert " ".join(map(observation.labels().card, hand.tokens)) == shown
    assert (list(hand.tokens) == at.state.hand[0]) == (viewer == 1)


ONE_HAND = [
    t for t in trials(HEARTS, 2, 0) if t.settings["hands"] == 1 and not t.settings["target"]
]


@pytest.mark.parametrize("trial", ONE_HAND, ids=lambda trial: f"{trial.settings['passing']}")
def test_random_hands_fulfil_the_contract(trial: Trial) -> None:
    """Two games for each direction of passing, and the check of secrecy."""
    check_playout(HEARTS, trial, samples=1)


def test_several_hands_fulfil_the_contract() -> None:
    """Cards shuffled again are unknown to all seats, in play and in records."""
    trial = Trial(4, resolve_options(HEARTS, {"hands": 2}, 4), 0)
    check_deals(HEARTS, trial)
    check_playout(HEARTS, trial)
    check_record(HEARTS, trial)
    check_guesses(HEARTS, default_trial(HEARTS, 4, 0))


def test_each_hand_is_summed_up_with_the_points_of_all_players() -> None:
    """The table stops there, also after the last one."""
    table = TableInPlay(HEARTS, options={"hands": 2}, seed=3)
    while not table.is_over:
        table.act(table.observation().legal()[0])
    moments = table.playthrough(0).moments
    first, second = (moment.summary for moment in moments if moment.summary)
    assert (first.title, second.title) == ("Hand 1", "Hand 2")
    assert [row[0] for row in first.rows] == ["", "Anna", "Bob", "Chris", "David"]
    assert sum(int(row[1]) for row in first.rows[1:]) == 26
    assert [row[1] for row in first.rows] == ["this hand", *(row[2] for row in first.rows[1:])]
    assert [int(row[2]) for row in second.rows[1:]] == table.scores


def test_the_summary_of_a_hand_names_a_player_who_has_shot_the_moon() -> None:
    at = ByHand(HEARTS, 4)
    at.state.total, at.state.excluded = [0] * 4, [0] * 4
    for seat, card in enumerate(("KH", "8C", "9C", "10C")):
        at.state.put_all(at.take(card), at.state.hand, seat)
    hearts = [t for t in at.left if POINTS[at.state.face[t]]]
    at.state.put_all(hearts, at.state.taken, 0)
    at.state.seat, at.state.phase, at.state.is_broken = 0, PLAYING, True
    before = at.act("play KH", "play 8C", "play 9C").observe(4)
    last = PLAY + at.state.hand[3][0]
    after = at.act("play 10C").observe(4)
    summary = HEARTS.display.summary(before.state, last, after.state, after.labels(NAMES))
    assert summary is not None
    assert summary.title == "Hand 1: Anna shoots the moon"
    assert list(map(list, summary.rows))[1:3] == [["Anna", "0", "0"], ["Bob", "26", "26"]]


def test_a_card_says_whether_it_takes_the_trick() -> None:
    at = ByHand(HEARTS, 4)
    at.state.total, at.state.excluded = [0] * 4, [0] * 4
    for seat, cards in enumerate(("5D AH", "9D KC", "QS AD", "JD 3H")):
        at.state.put_all(at.take(cards), at.state.hand, seat)
    at.state.put_all(at.left, at.state.taken, 0)
    at.state.seat, at.state.phase, at.state.is_broken = 0, PLAYING, True
    assert said(at, "play 5D") == ""
    assert said(at.act("play 5D"), "play 9D") == (
        "this is the best card so far; the trick is worth no points"
    )
    assert said(at.act("play 9D"), "play AD") == (
        "this is the best card so far; the trick is worth no points"
    )
    assert said(at.act("play AD"), "play JD") == "Chris takes the trick with no points"


def hint(at: ByHand[Table], notation: str) -> str:
    """Return the hint about an action for the seat to act."""
    seen = at.observe(at.state.seat)
    labels = seen.labels(NAMES)
    return HEARTS.display.hint(seen.state, labels.parse(notation, seen.legal()), labels)


def test_a_hint_names_the_higher_cards_that_are_still_out() -> None:
    at = ByHand(HEARTS, 4)
    at.state.total, at.state.excluded = [0] * 4, [0] * 4
    for seat, cards in enumerate(("5D JS AH", "9D KC 2S", "QS AD KS", "JD 3H 4S")):
        at.state.put_all(at.take(cards), at.state.hand, seat)
    at.state.put_all(at.left, at.state.taken, 0)
    at.state.seat, at.state.phase, at.state.is_broken = 0, PLAYING, True
    assert hint(at, "play AH") == "No higher hearts are out, so you take the trick."
    assert hint(at, "play JS") == (
        "Only Q♠ and K♠ are higher, of 4 spades still out. It may bring out the queen of spades."
    )
    assert hint(at.act("play 5D"), "play 9D") == (
        "It is the best card so far in a trick with no points. Only J♦ and A♦ are higher, of 2 "
        "diamonds still out."
    )
    assert hint(at.act("play 9D", "play AD"), "play JD") == (
        "Chris is ahead, so you do not take this trick with no points."
    )


def test_a_hint_to_pass_counts_the_cards_of_the_suit_that_stay() -> None:
    at = ByHand(HEARTS, 4)
    for seat, cards in enumerate(("5D 6D JS QS KS AH", "9D", "AD", "JD")):
        at.state.put_all(at.take(cards), at.state.hand, seat)
    at.state.put_all(at.left, at.state.taken, 0)
    at.state.seat, at.state.phase, at.state.number = 0, PASSING, 1
    assert hint(at, "pass AH").endswith("and you keep no hearts.")
    assert hint(at, "pass 5D").endswith("and you keep one more of the diamonds.")
    assert hint(at, "pass JS").endswith("and you keep 2 spades.")


def said(at: ByHand[Table], notation: str) -> str:
    """Return the consequence of an action for the seat to act."""
    seen = at.observe(at.state.seat)
    labels = seen.labels(NAMES)
    return HEARTS.display.consequence(seen.state, labels.parse(notation, seen.legal()), labels)


def test_the_points_of_a_hand_are_explained_by_cause() -> None:
    """A player who shot the moon gets none, and the others get 26 each."""
    at = ByHand(HEARTS, 4)
    at.state.total, at.state.excluded = [3, 0, 0, 10], [0] * 4
    at.state.put_all(at.left, at.state.taken, 1)
    (section,) = HEARTS.display.breakdown(at.state)
    assert {row.label: list(row.points) for row in section.rows} == {
        "hands before": [3, 0, 0, 10],
        "hearts": [0, 13, 0, 0],
        "queen of spades": [0, 13, 0, 0],
        "shot the moon": [26, -26, 26, 26],
    }
