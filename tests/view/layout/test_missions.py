"""Rebels on small terminals: results, team and votes are read in full."""

import pytest

from cardhub.model.hidden.observation import Observation
from cardhub.testing import initial_state, resolve_options
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.view import Spot
from rebels import Rebels
from rebels.game import CARDS, NO, YES

from .drawn import lines_of

NAMES = ["Anna", "Bob", "Chris", "David", "Eva", "Frida", "Georg"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("cursor", [None, Spot("area", 0, 0)])
def test_missions_team_and_votes_are_readable(size: tuple[int, int], cursor: Spot | None) -> None:
    game, roles = Rebels(), [CARDS.face(name) for name in "RRSSRSR"]
    state = initial_state(game, resolve_options(game, {}, 7), 7, roles)
    state.sabotages, state.team = [0, 2], [1, 2]
    state.votes = [YES, NO, YES, NO, YES, NO, YES]
    view, catalogue = build_view(Observation(game, state, 0), NAMES), build_catalogue(game)
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*size))
    text = "\n".join(lines_of(draw(view, catalogue, plan, cursor=cursor)))
    missions = [f"mission {number}" for number in range(1, 6)]
    results = ["succeeded", "sabotaged: 2", "for 3 players", "for 4 players"]
    assert [words for words in (*missions, *results) if words not in text] == []
    assert text.count("team") == 3, "once in the prompt"
    assert text.count("yes") + text.count("no ") >= 5
