"""The scene of Gargon."""

from random import Random

import pytest

from cardhub import Area
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon
from cardhub_gargon.table import Table

from ..positions import Position
from ..positions import set_up as position

NAMES = ["Anna", "Bob", "Chris"]


def played(steps: int, *, open_winnings: bool) -> Observation[Table]:
    """Return Anna's observation after some random actions, at most until the end."""
    players = [Player(name, "random") for name in NAMES]
    referee = set_up(Gargon(), players, {"open_winnings": open_winnings}, seed=4)
    referee.proceed()
    rng = Random(4)
    while steps and not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        steps -= 1
    return referee.observe(0)


def winnings(observation: Observation[Table]) -> list[Area]:
    """Return the areas of won cards."""
    return areas(observation, "won")


def test_closed_winnings_of_others_show_their_number_only() -> None:
    """Gargon R8: the others' won cards are closed."""
    observation = played(60, open_winnings=False)
    numbers = [len(cards) for cards in observation.state.won]
    assert sum(numbers[1:]) > 5
    assert [area.seat for area in winnings(observation)] == [observation.seat]
    seats = observation.scene().seats
    assert [seats[seat].score for seat in range(3)] == [f"won {number}" for number in numbers]


def test_own_won_cards_are_shown_to_their_owner() -> None:
    """Gargon R8: a player may look at their own won cards at any time."""
    observation = played(60, open_winnings=False)
    [own] = [area for area in winnings(observation) if area.seat == observation.seat]
    assert own.tokens
    assert not own.closed
    assert own.look == "pile"


def test_in_the_end_all_hands_are_open() -> None:
    """Gargon R8: at the end everything is open."""
    observation = played(10_000, open_winnings=False)
    state = observation.state
    held = [token for hand in state.hand for token in hand]
    assert any(state.hand[1:])
    assert all(state.seen[token] == state.everybody for token in held)
    hands = [area for area in observation.scene().areas if area.caption == "hand"]
    labels = observation.labels(NAMES)
    shown = [area for area in hands if isinstance(area, Area)]
    assert all(labels.is_known(token) for area in shown for token in area.tokens)


def test_open_winnings_lie_sorted_by_colour() -> None:
    """`open_winnings`: won cards lie face-up, sorted by colour."""
    observation = played(60, open_winnings=True)
    for area in winnings(observation):
        colours = [observation.state.back[token] for token in area.tokens]
        assert colours == sorted(colours)
        assert not area.closed


@pytest.mark.parametrize("open_winnings", [False, True])
def test_in_the_end_all_won_cards_are_turned_up(open_winnings: bool) -> None:
    """The players turn the cards they have won face-up, and score these cards."""
    observation = played(10_000, open_winnings=open_winnings)
    scores = Gargon().scores(observation.state)
    assert not any(area.closed for area in winnings(observation))
    seats = observation.scene().seats
    assert {seat: line.score for seat, line in seats.items()} == {
        seat: f"{score} points" for seat, score in enumerate(scores)
    }


def test_laid_cards_meet_in_the_middle_with_outlines_for_expected_cards() -> None:
    """The mix gives the number of cards, at most three; a seat that passed has no outline."""
    at = position({0: "W1 W2 B3", 1: "R1 R2 G3", 2: "Y1"}, seats=3)
    at.act("lay W1", "lay W2", "lay B3", "pass 2+1")
    laid = {area.seat: area for area in areas(at.observe(2), "laid")}
    assert all((area.place, area.room) == ("front", 3) for area in laid.values())
    assert [len(laid[seat].tokens) for seat in range(3)] == [3, 0, 0]
    assert [laid[seat].slots for seat in range(3)] == [3, 0, 3]


def test_the_stacks_are_queues_with_the_next_card_first() -> None:
    """The fanned stacks show all colours in order."""
    at = position({0: "W1 V1", 1: "W2", 2: "W3"}, ("R1 G5", "B2"), seats=3)
    observation = at.observe(0)
    [left] = areas(observation, "left stack")
    assert (left.look, left.place) == ("queue", "centre")
    labels = observation.labels()
    assert [labels.card(token) for token in left.tokens[:2]] == ["G?", "R?"]


def test_seat_lines_show_who_leads_who_has_passed_and_who_is_last() -> None:
    """The last player is so by position (gargon R3)."""
    at = position({0: "W1 V1", 1: "W2", 2: "W3"}, seats=3).act("lay W1", "done", "pass 1+0")
    seats = at.observe(2).scene().seats
    assert [list(seats[seat].badges) for seat in range(3)] == [["leads"], ["passed"], ["last"]]


def test_a_colour_to_fight_out_points_at_all_its_laid_cards() -> None:
    at = position({0: "W1 W2 B3", 1: "W5 W6 B4", 2: "W7 W8 B9"}, seats=3)
    at.act("lay W1", "lay W2", "lay B3", "lay W5", "lay W6", "lay B4")
    at.act("lay W7", "lay W8", "lay B9")
    scene = at.observe(0).scene()
    white, blue = Gargon().legal(at.state)
    keys = [[int(target.key) for target in scene.targets(action)] for action in (white, blue)]
    assert [at.cards(sorted(tokens)) for tokens in keys] == [
        at.cards(sorted(token for laid in at.state.laid for token in laid if back(at, token) == c))
        for c in (0, 1)
    ]
    assert list(map(len, keys)) == [6, 3]


def test_the_prompt_offers_to_lay_only_what_the_hand_has() -> None:
    """Backs are visible, so everybody may know it."""
    for hand, prompt in (
        ("R1 R2 V3", "lay 2 cards of one colour, or pass"),
        ("R1 V3", "pass, because the hand has no cards for the mix"),
    ):
        at = position({0: "W1 W2 B3", 1: hand, 2: "Y1"}, seats=3).act("lay W1", "lay W2", "done")
        assert at.observe(2).scene().prompt == prompt


def test_the_status_shows_round_and_cards_left() -> None:
    """An empty stack makes the round the last one."""
    at = position({0: "W1 V1", 1: "W2", 2: "W3"}, ("R1", "B2 G5"), seats=3, only_named=True)
    assert at.observe(0).scene().status == f"round {at.state.round} · 1+2 cards left"
    at.act("lay W1", "done", "pass 1+0")
    assert at.observe(0).scene().status == (f"round {at.state.round} · 0+2 cards left · last round")


def test_a_pass_is_labelled_by_its_stacks() -> None:
    """Records have `pass 2+1`; people read where the cards come from, and may type either."""
    at = position({0: "W1 V1", 1: "W2", 2: "W3"}, seats=3).act("lay W1", "done")
    labels, legal = at.observe(1).labels(), Gargon().legal(at.state)
    both = labels.parse("pass 2+1", legal)
    assert both == labels.parse("pass two left + right", legal)
    assert (labels.label(both), labels.notation(both)) == ("pass two left + right", "pass 2+1")


def areas(observation: Observation[Table], caption: str) -> list[Area]:
    """Return the areas with a caption."""
    shown = observation.scene().areas
    return [area for area in shown if isinstance(area, Area) and area.caption == caption]


def back(at: Position, token: int) -> int:
    """Return the colour of a card."""
    return at.state.back[token]
