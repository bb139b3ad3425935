"""Roses and skulls: the rules by example, mixed hands, and the checks of the contract."""

from collections import Counter
from random import Random

import pytest

from cardhub import OVER
from cardhub.play import Table as TableInPlay
from cardhub.testing import ByHand, checks
from roses import Roses
from roses.table import COLLECTING, LOSING, STARTING, TAKING, Table

ROSES = Roses()
test_roses = checks(ROSES, games=1)

COLOURS = "RBGYVW"
SKULL = {seat: f"skull-{letter}" for seat, letter in enumerate(COLOURS)}
ROSE = {seat: f"rose-{letter}" for seat, letter in enumerate(COLOURS)}


def at_table(*discs: str) -> ByHand[Table]:
    """Return a position with these discs in hand, such as `rrs` for two roses and a skull."""
    at = ByHand(ROSES, len(discs))
    for seat, kinds in enumerate(discs):
        names = [SKULL[seat] if kind == "s" else ROSE[seat] for kind in kinds]
        at.state.put_all(at.take(names), at.state.hand, seat)
    # By hand no cards are mixed.
    at.state.pending_shuffles = ()
    return at


def lay(at: ByHand[Table], kinds: str) -> ByHand[Table]:
    """Lay a disc for each seat in turn: `r` for a rose, `s` for a skull."""
    for kind in kinds:
        at.act(f"lay {(SKULL if kind == 's' else ROSE)[at.state.seat]}")
    return at


def dealt(seats: int, seed: int = 1) -> TableInPlay:
    """Return a game after the deal."""
    return TableInPlay(ROSES, seats, seed=seed)


def play_until_collected(table: TableInPlay, rng: Random) -> None:
    """Play at random until the discs of a challenge have returned and one has been lost."""
    while not any(table.observation(0).state.lost):
        table.act(rng.choice(table.observation().legal()))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_each_player_has_three_roses_and_a_skull_of_one_colour(seats: int) -> None:
    """R1: that is public, though not which disc is the skull."""
    table = dealt(seats)
    for seat in range(seats):
        observation = table.observation(seat)
        names = Counter(observation.labels().card_notation(t) for t in observation.state.hand[seat])
        assert names == {ROSE[seat]: 3, SKULL[seat]: 1}
        other = observation.state.hand[(seat + 1) % seats]
        assert not any(observation.labels().is_known(token) for token in other)


def test_every_player_lays_a_disc_before_the_first_bid() -> None:
    """R2, R3: afterwards each may lay another one, or bid."""
    at = lay(at_table("rrs", "rr", "rr"), "rr")
    assert at.legal() == {"lay rose-G"}
    assert lay(at, "r").legal() == {"lay rose-R", "lay skull-R", "bid 1", "bid 2", "bid 3"}


def test_a_player_without_discs_in_hand_must_bid() -> None:
    """R3: any number is legal, up to the number of discs on the mats."""
    assert lay(at_table("r", "rr", "rr"), "rrr").legal() == {"bid 1", "bid 2", "bid 3"}


def test_others_bid_more_or_pass_for_good() -> None:
    """R3: the challenge begins when all others have passed."""
    at = lay(at_table("rr", "rr", "rr"), "rrr").act("bid 1")
    assert at.legal() == {"bid 2", "bid 3", "pass"}
    at.act("pass", "bid 2")
    assert at.state.seat == 0
    at.act("pass")
    assert (at.state.seat, at.legal()) == (2, {"turn seat0", "turn seat1"})


def test_the_highest_possible_bid_begins_the_challenge_at_once() -> None:
    """R3: no player has to pass."""
    at = lay(at_table("rr", "rr", "rr"), "rrr").act("bid 3")
    assert (at.state.seat, at.legal()) == (0, {"turn seat1", "turn seat2"})


def test_own_discs_are_turned_up_first_and_from_the_top() -> None:
    """R4: a skull below as many roses as were bid stays closed."""
    at = lay(at_table("srr", "rrr", "rrr"), "srrrrr").act("bid 1", "pass", "pass")
    assert (at.state.wins, at.cards(at.state.turned)) == ([1, 0, 0], "rose-R")
    at = lay(at_table("srr", "rrr", "rrr"), "srrrrr").act("bid 2", "pass", "pass")
    assert (at.state.skull_of, at.cards(at.state.turned)) == (0, "rose-R skull-R")


def test_discs_of_others_are_turned_up_from_the_top_until_the_bid_is_reached() -> None:
    """R4: the challenger chooses the mats one by one."""
    at = lay(at_table("rr", "srr", "rrr"), "rsrrrr").act("bid 4", "pass", "pass", "turn seat1")
    assert at.legal() == {"turn seat1", "turn seat2"}
    assert at.act("turn seat2").state.wins == [1, 0, 0]


def test_after_the_skull_of_another_player_a_disc_is_taken_at_random() -> None:
    """R5: chance takes it from the mixed hand."""
    at = lay(at_table("rrs", "rs", "rr"), "rsr").act("bid 2", "pass", "pass", "turn seat1")
    assert at.state.phase == COLLECTING
    at.act("collect")
    assert at.state.phase == TAKING
    assert at.legal() == {"take rose-R", "take skull-R"}
    assert at.act("take skull-R").cards(at.state.lost[0]) == "skull-R"


def test_after_the_own_skull_the_challenger_chooses_the_lost_disc() -> None:
    """R5: the others do not see it, and R6: the challenger begins the next round."""
    at = lay(at_table("rrs", "rs", "rr"), "srr").act("bid 1", "pass", "pass", "collect")
    assert (at.state.phase, at.state.seat) == (LOSING, 0)
    at.act("lose rose-R")
    assert [at.observe(viewer).labels().card(at.state.lost[0][0]) for viewer in range(4)] == [
        "red rose",
        "R?",
        "R?",
        "R?",
    ]
    assert at.state.seat == 0


def test_the_player_of_the_skull_begins_if_the_challenger_is_out() -> None:
    """R6: a player without discs cannot begin."""
    at = lay(at_table("r", "rr", "rs"), "rrs").act("bid 2", "pass", "pass", "turn seat2")
    at.act("collect", "take rose-R")
    assert at.state.seat == 2
    assert lay(at, "rr").state.seat == 2


def test_a_player_who_is_out_by_the_own_skull_chooses_who_begins() -> None:
    """R6: any of the others may begin."""
    at = lay(at_table("s", "rr", "rr"), "srr").act("bid 1", "pass", "pass", "collect")
    at.act("lose skull-R")
    assert (at.state.phase, at.legal()) == (STARTING, {"start seat1", "start seat2"})
    assert at.act("start seat2").state.seat == 2


def test_two_won_challenges_win_the_game() -> None:
    """R7: the second one ends it immediately."""
    at = at_table("rr", "rr", "rr")
    lay(at, "rrr").act("bid 1", "pass", "pass", "collect")
    lay(at, "rrr").act("bid 1", "pass", "pass")
    assert (at.state.seat, ROSES.scores(at.state)) == (OVER, [2, 0, 0])


def test_the_last_player_with_a_disc_wins() -> None:
    """R7: even against a player with a won challenge."""
    at = at_table("s", "rs", "")
    at.state.wins = [1, 0, 0]
    lay(at, "ss").act("bid 1", "pass", "collect", "lose skull-R")
    assert (at.state.seat, ROSES.scores(at.state)) == (OVER, [1, 2, 0])


@pytest.mark.parametrize(
    ("actions", "refused", "reason"),
    [
        ("", "bid 1", "first every player lays a disc"),
        ("lay lay lay", "pass", "nobody has bid yet"),
        ("lay lay lay", "bid 4", "only 3 discs lie on the mats"),
        ("lay lay lay bid", "lay rose-B", "the bidding has begun"),
        ("lay lay lay bid", "bid 1", "the bid is already 1 rose"),
        (
            "lay lay lay bid pass bid pass",
            "turn seat2",
            "your own discs have been turned up already",
        ),
    ],
)
def test_players_are_told_why_an_action_is_not_legal(
    actions: str, refused: str, reason: str
) -> None:
    """Each verb stands for its first legal action."""
    at = at_table("rr", "rr", "rr")
    for verb in actions.split():
        at.act(min(text for text in at.legal() if text.startswith(verb)))
    assert at.why_not(refused) == reason


def test_the_end_of_a_challenge_is_summed_up() -> None:
    at = lay(at_table("rrs", "rs", "rr"), "rsr").act("bid 2", "pass", "pass")
    before = at.state.clone()
    at.act("turn seat1")
    summary = ROSES.display.summary(
        before, 0, at.state, at.observe(3).labels(["Anna", "Bob", "Chris"])
    )
    assert summary is not None
    assert summary.title == "Anna fails with a bid of 2 and loses a disc"
    rows = [list(row) for row in summary.rows]
    assert rows == [["", "turned up"], ["Anna", "red rose"], ["Bob", "blue skull"]]


def test_nobody_can_follow_a_disc_into_a_mixed_hand() -> None:
    """Discs turned up in a challenge may be anywhere in the hand in the next round."""
    table, rng = dealt(3), Random(4)
    play_until_collected(table, rng)
    state = table.observation(3).state
    discs = [token for hand in state.hand for token in hand]
    assert not any(table.observation(3).labels().is_known(token) for token in discs)


def test_bots_imagine_each_lost_disc_with_the_probability_of_chance() -> None:
    """A disc that was taken unseen is the skull in a quarter of the determinizations."""
    table, rng = dealt(3), Random(4)
    play_until_collected(table, rng)
    loser = next(seat for seat, lost in enumerate(table.observation(0).state.lost) if lost)
    observation = table.observation((loser + 1) % 3)
    worlds = [observation.determinize(Random(seed)) for seed in range(400)]
    lost = [state.face[state.lost[loser][0]] for state in worlds]
    skulls = lost.count(ROSES.cards.face(SKULL[loser]))
    # Four standard deviations around a quarter of 400.
    assert 65 < skulls < 135
    assert all(
        sum(face == ROSES.cards.face(SKULL[loser]) for face in faces_of(state, loser)) == 1
        for state in worlds
    )


def faces_of(state: Table, seat: int) -> list[int]:
    """Return the faces of all discs of a player."""
    tokens = state.hand[seat] + state.mat[seat] + state.lost[seat]
    return [state.face[token] for token in tokens]
