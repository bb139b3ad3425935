"""The scene of Gargon."""

from random import Random

import pytest

from cardhub import Area
from cardhub.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.text import lay_out, render
from cardhub_gargon import Gargon
from cardhub_gargon.table import Table

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
    areas = observation.scene().areas
    return [area for area in areas if isinstance(area, Area) and area.caption == "won"]


def test_closed_winnings_of_others_show_their_number_only() -> None:
    """Gargon R8: closed are the others' won cards."""
    observation = played(60, open_winnings=False)
    others = [area for area in winnings(observation) if area.seat != observation.seat]
    assert sum(len(area.tokens) for area in others) > 5
    assert all(area.closed and area.look == "count" for area in others)


def test_own_won_cards_are_shown_to_their_owner() -> None:
    """Gargon R8: a player may look at their own won cards at any time."""
    observation = played(60, open_winnings=False)
    [own] = [area for area in winnings(observation) if area.seat == observation.seat]
    assert own.tokens
    assert not own.closed
    assert own.look == "row"


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
    notes = {area.seat: area.note for area in winnings(observation)}
    assert notes == {seat: f"{score} points" for seat, score in enumerate(scores)}
    assert f"{scores[0]} points" in render(lay_out(observation, NAMES, width=78))
