"""Why an action of Gargon is not legal: one sentence for every rule."""

from tests.gargon.positions import Position, set_up


def following(*lead: str, hand: str = "Y1 Y2 V3 G9") -> Position:
    """Return a position in which Anna has led and Bob is to follow."""
    at = set_up({0: " ".join(lead) + " G1 G2 G3", 1: hand, 2: "G4", 3: "G5"})
    at.act(*(f"lay {card}" for card in lead))
    return at if at.state.seat else at.act("done")


def test_the_starting_player_lays_not_three_of_one_colour() -> None:
    """The mixes are 1:0, 2:0, 1:1, 2:1 and 1:1:1."""
    at = set_up({0: "W1 W2 W3 B4", 1: "W5"}).act("lay W1", "lay W2")
    assert at.why_not("lay W3") == "three cards need at least two colours"
    assert at.why_not("lay B4") is None


def test_the_starting_player_lays_a_card_and_may_not_pass() -> None:
    """Gargon R2: the others may pass."""
    at = set_up({0: "W1 B2", 1: "W3"})
    assert at.why_not("done") == "lay at least one card first"
    assert at.why_not("pass 1+0") == "the starting player may not pass"


def test_others_lay_the_whole_mix() -> None:
    """A card is not laid if the mix could not be completed with it."""
    at = following("W1", "W2")
    mix = "2 cards of one colour"
    assert at.why_not("lay V3") == f"with it you could not complete the mix: {mix}"
    assert at.why_not("done") == (
        "only the starting player may stop early; all others lay the whole mix or pass"
    )
    at.act("lay Y1")
    assert at.why_not("pass 1+0") == "you have begun to lay cards, so complete the mix"


def test_a_colour_of_the_mix_can_be_complete() -> None:
    """The mix has no pair, or has a complete one."""
    at = following("W1", "B2", hand="Y1 Y2 V3").act("lay Y1")
    assert at.why_not("lay Y2") == (
        "the mix is 2 cards of two colours, and you need no more yellow cards for it"
    )


def test_the_last_player_lays_colours_that_others_have_laid() -> None:
    """Gargon R3: only this round counts."""
    at = following("W1", hand="B5").act("lay B5", "pass 1+0")
    assert at.why_not("lay G5") == (
        "the last player may lay only colours that others have laid: white, blue"
    )


def test_cards_are_laid_from_the_own_hand() -> None:
    """Cards of other seats and cards already laid are refused."""
    at = set_up({0: "W1 B2 V3", 1: "W3"}).act("lay W1")
    assert at.why_not("lay W3") == "it is not in your hand"
    assert at.why_not("lay W1") == "you have laid it already"


def test_a_pass_draws_only_cards_of_the_stacks() -> None:
    """Gargon R4: a pass draws 1 to 3 cards, split over the stacks."""
    at = set_up({0: "W1", 1: "W3"}, ("B1", "R1 R2"), only_named=True).act("lay W1")
    assert at.why_not("pass 0+0") == "draw at least one card while the stacks have any"
    assert at.why_not("pass 2+0") == "the left stack has only 1 card"
    assert at.why_not("pass 0+3") == "the right stack has only 2 cards"
    at = set_up({0: "W1", 1: "W3"}, ("", ""), only_named=True).act("lay W1")
    assert at.why_not("pass 1+0") == "the left stack is empty"


def test_a_colour_is_fought_out_that_the_player_has_laid() -> None:
    at = set_up({0: "W1 B2 G1", 1: "W3", 2: "W5"}, seats=3)
    assert (
        at.why_not("fight blue") == "the battles begin when all players have laid cards or passed"
    )
    at.act("lay W1", "done", "lay W3", "lay W5")
    assert at.why_not("fight red") == "you have laid no red card"
    assert at.why_not("lay G1") == (
        "all cards of this round are laid; choose the colour of the next battle"
    )


def test_a_card_is_taken_after_a_lost_battle_from_a_stack_with_cards() -> None:
    """Gargon R7: one stack may be empty."""
    at = set_up({0: "W1 G1", 1: "W3", 2: "W5"}, ("", "R1 R2"), seats=3, only_named=True)
    assert at.why_not("take left") == "a card is taken only after a lost battle"
    at.act("lay W1", "done", "lay W3", "lay W5", "fight white")
    assert at.why_not("take left") == "the left stack is empty"
    assert at.why_not("lay G1") == "you lost a battle; first take a card from a stack"
