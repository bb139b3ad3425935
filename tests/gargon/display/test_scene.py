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


def test_closed_winnings_show_their_number_only() -> None:
    """Gargon R8: closed winnings only decide what is shown to a person."""
    observation = played(60, open_winnings=False)
    assert sum(len(area.tokens) for area in winnings(observation)) > 5
    assert all(area.closed and area.look == "count" for area in winnings(observation))


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
