"""Why an action of Garner is not legal: one sentence for every rule."""

from tests.garner.positions import set_up

PAIR = "A1 B1 C2 \n A4 C5 C4 \n A2 B4 A3"
UNEVEN = "C1/B1/A1 B2/A2 A3 \n B5/B4 A5 . \n . . ."


def test_groups_are_of_the_top_layer() -> None:
    """Garner R2: a covered card is in no group."""
    at = set_up(UNEVEN, layout="a")
    assert at.why_not("lift B1") == "A1 lies on it"
    at.act("lift B4", "place r2c2")
    assert at.why_not("collect C1") == "B1 lies on it"


def test_the_top_layer_can_be_a_height() -> None:
    """Garner R2: the option is `top_layer: level`."""
    at = set_up(UNEVEN, layout="a", top_layer="level")
    assert at.why_not("lift A3") == "only cards at the greatest height, 3, are in the top layer"


def test_cards_that_do_not_lie_on_the_board_are_in_no_group() -> None:
    """They are collected cards, or cards of other layouts."""
    at = set_up(PAIR, {0: "A9"}, layout="a")
    assert at.why_not("lift A9") == "it has been collected"
    assert at.why_not("lift E15") == "it is not in this layout"


def test_a_group_has_one_name() -> None:
    """It is the first suit of a number group, the lowest number of a suit group."""
    at = set_up(PAIR, layout="a")
    assert at.why_not("lift B1") == "its group is called A1"
    at.act("lift C5", "place r1c1")
    assert at.why_not("collect C4") == "its group is called C2"


def test_a_turn_has_two_halves() -> None:
    """First a group is distributed, then one is collected."""
    at = set_up(PAIR, layout="a")
    assert at.why_not("collect A1") == "first lift a group of one number"
    at.act("lift C5")
    assert at.why_not("lift A1") == "first place the lifted cards"
    at.act("place r1c1")
    assert at.why_not("place r0c0") == "you have distributed a group; now collect one"


def test_each_card_of_a_group_gets_a_different_site() -> None:
    """The site is within the layout, and free."""
    at = set_up(PAIR, layout="a").act("lift A1", "place r2c2")
    assert at.why_not("place r2c2") == "another card of the group has been placed there"
    assert at.why_not("place r0c4") == "e1 is not in this layout"
    assert at.why_not("place r0c1") is None


def test_cards_may_move_in_a_straight_line_only() -> None:
    """Garner R10: straight lines are rows, columns and diagonals."""
    at = set_up(PAIR, layout="a", straight_line=True).act("lift A1")
    assert at.why_not("place r1c2") == "A1 moves only along its row, its column or a diagonal"


def test_cards_may_have_to_get_another_site() -> None:
    """Garner R10: this holds for every card, or for one of the group."""
    at = set_up(PAIR, layout="a", new_position="all").act("lift A1")
    assert at.why_not("place r0c0") == "every card of the group must move to another site"
    at = set_up(PAIR, layout="a", new_position="any").act("lift C5")
    assert at.why_not("place r1c1") == "at least one card of the group must move to another site"


def test_a_card_leaves_a_site_for_the_others_of_its_group() -> None:
    """Garner R4: a turn can always be finished."""
    rows = "A1 B1 . . . \n . . . . . \n . . . . . \n . . . . . \n . . . . ."
    at = set_up(rows, new_position="any").act("lift A1", "place r0c0")
    assert at.why_not("place r0c1") == "at least one card of the group must move to another site"


def test_the_card_that_stays_is_one_of_the_group() -> None:
    """Garner R6: a player never has exactly six."""
    at = set_up("A1 A2 A3 \n B8 C9 . \n . . .", {0: "A4-6"}, layout="b")
    at.act("lift B8", "place r2c2", "collect A1")
    assert at.why_not("leave C9") == "it is not in the group that you collect"
    assert at.why_not("collect B8") == "first choose the card that stays"
