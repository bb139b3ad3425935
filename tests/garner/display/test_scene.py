"""The table of Garner, as every front end shows it."""

import re
from random import Random

import pytest
from tests.kit.table_texts import text_of, view_of

from cardhub.model.game.scene import Area, Grid, TallyRow
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act
from cardhub.play.setup import set_up as set_up_table
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import cards_in_sight
from cardhub.view.view import View
from cardhub_garner import Garner, RuleOfThumb
from cardhub_garner.layouts import LAYOUTS

from ..positions import Position, set_up

NAMES = ["Ada", "Bo"]
START = """\
Garner · 75 cards left · lifting

layout:
    a           b            c          d           e
1   B10/B8/A10  D15/E13/B14  A1/C13/C6  E3/D2/D4    E10/E7/B2
2   D8/B7/C7    D5/A14/B11   D11/A6/E5  C5/B15/C14  C2/C12/A3
3   A13/E8/C10  D7/A9/A15    E6/D3/D1   D14/C1/A4   A7/B9/D12
4   B5/C9/A11   A2/C3/B4     D9/C11/A5  D10/B13/E1  B6/E9/E11
5   B1/C15/A8   B3/A12/D6    B12/C4/C8  E14/E2/D13  E15/E12/E4
lifted (0)
suits A, goal 8: Ada 0, 8 more; Bo 0, 8 more
suits B, goal 8: Ada 0, 8 more; Bo 0, 8 more
suits C, goal 8: Ada 0, 8 more; Bo 0, 8 more
suits D, goal 8: Ada 0, 8 more; Bo 0, 8 more
suits E, goal 8: Ada 0, 8 more; Bo 0, 8 more

  Bo, 0 suits (3 win)
    collected (0)

> Ada, 0 suits (3 win)
    collected (0)

1. lift B10   2. lift D15   3. lift A1    4. lift E3    5. lift E10
6. lift D8    7. lift D5    8. lift D11   9. lift C5    10. lift C2
11. lift A13  12. lift D7   13. lift E6   14. lift D14  15. lift A7
16. lift B5   17. lift A2   18. lift D9   19. lift D10  20. lift B6
21. lift B1   22. lift B3   23. lift B12  24. lift E14  25. lift E15
"""


def seen(at: Position, viewer: int = 0) -> View:
    """Return a viewer's view."""
    return view_of(Observation(at.game, at.state, viewer), NAMES)


def keys(view: View) -> list[set[int]]:
    """Return the numbers of the sites that each choice refers to, in the order of the choices."""
    return [{spot.key for spot in choice.spots} for choice in view.choices]


def races(at: Position) -> dict[str, TallyRow]:
    """Return the rows of the tally by suit."""
    [tally] = at.game.display.scene(at.state, 0).tallies
    return {row.label: row for row in tally.rows}


def scores(at: Position) -> list[str]:
    """Return the score on the line of each seat."""
    seats = at.game.display.scene(at.state, 0).seats
    return [seats[seat].score for seat in sorted(seats)]


def test_the_whole_layout_is_text_of_80_cells() -> None:
    """All cards of all layers are visible for 5×5×3."""
    referee = set_up_table(Garner(), [Player(name, "human") for name in NAMES], {}, seed=1)
    assert text_of(referee.observe(0), NAMES, 80) == START
    assert len(START.splitlines()) <= 30


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_card_of_every_stack_is_in_sight_at_any_time(name: str) -> None:
    """Stacks may grow: the top card first, the cards below in order, all of them."""
    players = [Player(name, "rule") for name in NAMES]
    referee = set_up_table(Garner(), players, {"layout": name}, seed=2)
    bots = [RuleOfThumb(Random(seat)) for seat in range(2)]
    for _ in range(40):
        observation = referee.observe(0)
        text = text_of(observation, NAMES, 80)
        assert max(map(len, text.splitlines())) <= 80
        words = re.split(r"[\s/*]+", text)
        labels = observation.labels()
        for stack in observation.state.board:
            assert {labels.card(token) for token in stack} <= set(words)
        if referee.is_over:
            break
        let_bot_act(referee, bots[referee.seat])


def test_the_grid_has_the_layouts_own_size() -> None:
    """Site names by row and column of the current layout."""
    for name, layout in LAYOUTS.items():
        players = [Player(name, "human") for name in NAMES]
        referee = set_up_table(Garner(), players, {"layout": name}, seed=1)
        grid = referee.observe(0).scene().areas[0]
        assert isinstance(grid, Grid)
        assert (grid.rows, grid.columns) == (layout.rows, layout.columns)
        assert all(len(stack) == layout.height for stack in grid.stacks)


def test_the_cards_of_a_group_light_up_together() -> None:
    """The group under the cursor lights up: its sites point at the same action."""
    at = set_up("C1 B1 A2 \n C4 A1 C5 \n A3 B6 A7", layout="a")
    sites = keys(seen(at))
    assert {0, 1, 4} in sites
    assert {2} in sites
    suits = keys(seen(at.act("lift C4", "place r2c2")))
    assert {5, 8} in suits


def test_lifted_cards_are_shown_waiting_and_legal_sites_are_marked() -> None:
    """Lifted cards are shown waiting, legal sites marked; the prompt says which comes next."""
    at = set_up("C1 B1 A2 \n C4 A1 C5 \n A3 B6 .", layout="a", new_position="all").act("lift A1")
    view = seen(at)
    assert "lifted (3): A1" in text_of(Observation(at.game, at.state, 0), NAMES)
    assert view.prompt == "Place A1 on another site"
    assert sorted(spot.key for spot in view.legal_spots()) == [0, 1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("options", "prompt"),
    [
        ({}, "Place A1 on a site"),
        ({"straight_line": True}, "Place A1 in a straight line"),
        ({"new_position": "any"}, "Place A1 on a site; at least one card must move"),
        (
            {"new_position": "all", "straight_line": True},
            "Place A1 on another site in a straight line",
        ),
    ],
)
def test_the_prompt_names_the_demands_of_a_variation(
    options: dict[str, Value], prompt: str
) -> None:
    """The prompt repeats the options that restrict a place."""
    at = set_up("A1 B1 C2 \n A4 C5 C4 \n A2 B4 A3", layout="a", **options).act("lift A1")
    assert seen(at).prompt == prompt


def test_the_suits_are_races_with_the_missing_cards() -> None:
    """Cards of both by suit, those missing for each majority; decided suits are marked."""
    at = set_up("A9 . . \n . . . \n . . .", {0: "A1-5 B1-2", 1: "C1-4"}, layout="a")
    rows = races(at)
    assert {label: list(row.counts) for label, row in rows.items()} == {
        "A": [5, 0],
        "B": [2, 0],
        "C": [0, 4],
    }
    assert {row.goal for row in rows.values()} == {5}
    assert list(rows["A"].notes) == ["won", "lost"]
    assert list(rows["B"].notes) == ["3 more", "5 more"]
    assert list(rows["C"].notes) == ["5 more", "1 more"]
    assert scores(at) == ["1 suit (2 win)", "0 suits (2 win)"]


def test_the_half_suit_is_shown_as_one() -> None:
    """Garner R8: the half suit: keep it, show it, test it."""
    rows = "\n".join([". . . ."] * 4)
    at = set_up(rows, {0: "A1-7 D1-5", 1: "B1-7"}, layout="c")
    assert scores(at) == ["weight 1½ (2 win)", "weight 1 (2 win)"]
    assert list(races(at)["D ½"].notes) == ["won", "lost"]
    at = set_up(rows, {0: "D1-5"}, layout="c")
    assert scores(at) == ["weight ½ (2 win)", "weight 0 (2 win)"]


def test_collected_cards_are_listed_on_request() -> None:
    """Each player has a pile, in the order of suits and numbers."""
    at = set_up("A9 . . \n . . . \n . . .", {0: "B2 A5 A3", 1: "C1"}, layout="a")
    areas = [area for area in at.game.display.scene(at.state, 0).areas if isinstance(area, Area)]
    piles = {area.seat: at.cards(area.tokens) for area in areas if area.caption == "collected"}
    assert piles == {0: "A3 A5 B2", 1: "C1"}


def test_leaving_a_card_points_at_the_group() -> None:
    """If one card must stay, `leave C4` chooses it."""
    at = set_up("A1 A2 A3 \n B8 . . \n . . .", {0: "A4-6"}, layout="b")
    view = seen(at.act("lift B8", "place r2c2", "collect A1"))
    assert {spot.key for spot in view.legal_spots()} == {0, 1, 2}
    assert view.prompt == "The total would be exactly 6: choose the card that stays"


def test_turns_without_a_card_are_counted_in_sight() -> None:
    """Garner R7: the scene counts the turns without a card."""
    at = set_up("A1 . . \n . . . \n . . .", {0: "A2-6"}, layout="b")
    assert at.game.display.scene(at.state, 0).status == "1 card left"
    at.act("lift A1", "place r0c0", "collect A1")
    assert at.game.display.scene(at.state, 0).status == "1 card left · 1 of 18 turns without a card"


def test_suits_have_their_own_colours() -> None:
    """A suit is seen at a glance, above and below."""
    at = set_up("B2/A1 A3/B1 C2 \n A4 C5 C4 \n A2 B4 A5", layout="a")
    view, faces = seen(at), build_catalogue(at.game).faces
    shown = [faces[card.face] for card in cards_in_sight(view) if card.face is not None]
    cards = {face.label: face.colour for face in shown}
    suits = {name[0]: {c for n, c in cards.items() if n[0] == name[0]} for name in cards}
    assert all(len(colours) == 1 for colours in suits.values())
    assert len(set.union(*suits.values())) == 3
