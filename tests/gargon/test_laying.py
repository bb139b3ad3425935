"""The card playing phase."""

from collections.abc import Iterator
from itertools import product

import pytest

from cardhub_gargon.laying import colours_to_lay, count_colours

from .positions import set_up

ALL_PASSES = {f"pass {a}+{b}" for a in range(4) for b in range(4) if 1 <= a + b <= 3}


def test_the_starting_player_must_lay() -> None:
    """Gargon R2: the starting player must lay cards; only the others may pass."""
    at = set_up({0: "W1 B2", 1: "W3"})
    assert at.legal() == {"lay W1", "lay B2"}


def test_the_starting_player_may_stop_after_one_or_two_cards() -> None:
    """The starting player lays 1 to 3 cards."""
    at = set_up({0: "W1 W2 B3 V4", 1: "W3"})
    assert "done" in at.act("lay W1").legal()
    assert at.act("lay B3").legal() == {"done", "lay W2", "lay V4"}


def test_never_three_cards_of_one_colour() -> None:
    """The mixes are 1:0, 2:0, 1:1, 2:1 and 1:1:1, never three of one colour."""
    at = set_up({0: "W1 W2 W3 B4", 1: "W5"})
    assert at.act("lay W1", "lay W2").legal() == {"done", "lay B4"}


def test_a_set_that_cannot_grow_is_complete() -> None:
    at = set_up({0: "W1 W2 W3", 1: "W5 W6 B1"})
    at.act("lay W1", "lay W2")
    assert at.state.seat == 1
    at = set_up({0: "W1", 1: "W5"})
    assert at.act("lay W1").state.seat == 1


@pytest.mark.parametrize(
    ("lead", "hand", "first", "then"),
    [
        ("W1", "B1 V2", "B1 V2", ""),
        ("W1 W2", "B1 B2 V3", "B1 B2", "B2"),
        ("W1 B2", "Y1 Y2 V3", "Y1 Y2 V3", "V3"),
        ("W1 W2 B3", "Y1 Y2 V3", "Y1 Y2 V3", "Y2 V3"),
        ("W1 W2 B3", "Y1 V2 R3", "", ""),
        ("W1 B2 V3", "Y1 V2 R3 R4", "Y1 V2 R3 R4", "V2 R3 R4"),
        ("W1 B2 V3", "Y1 V2 V4", "", ""),
    ],
)
def test_others_lay_the_same_mix_in_colours_of_their_choice(
    lead: str, hand: str, first: str, then: str
) -> None:
    """Each other player lays the same mix in colours of their choice, or passes."""
    spare = "G1 G2 G3"
    at = set_up({0: f"{lead} {spare}", 1: hand, 2: "G4", 3: "G5"})
    at.act(*(f"lay {card}" for card in lead.split()))
    if at.state.seat == 0:
        at.act("done")
    assert at.legal() == ALL_PASSES | {f"lay {card}" for card in first.split()}
    if then:
        assert at.act(f"lay {first.split()[0]}").legal() == {f"lay {c}" for c in then.split()}


def test_a_legal_lay_never_leads_into_a_mix_that_cannot_be_finished() -> None:
    """A laid card is offered only if the set can still become legal."""
    at = set_up({0: "W1 W2 B3", 1: "Y1 Y2 V3", 2: "G1", 3: "G2"})
    at.act("lay W1", "lay W2", "lay B3", "lay V3")
    assert at.legal() == {"lay Y1", "lay Y2"}


def test_the_last_player_lays_only_colours_already_down() -> None:
    """Gargon R3: the seat before the starting player lays colours already down this round."""
    at = set_up({0: "W1", 1: "B2", 2: "G1", 3: "W4 B5 V6 G7"})
    at.act("lay W1", "lay B2", "pass 1+0")
    assert at.legal() == ALL_PASSES | {"lay W4", "lay B5"}


def test_the_last_player_is_a_matter_of_position() -> None:
    """Gargon R3: the last player does not depend on passes or the starting seat."""
    at = set_up({0: "W1 V2", 1: "W3", 2: "B3", 3: "R3"}, leader=1)
    at.act("lay W3", "lay B3", "pass 0+1")
    assert at.legal() == ALL_PASSES | {"lay W1"}


def test_the_last_player_is_never_led_into_a_colour_that_is_not_down() -> None:
    """Gargon R3 holds for every card of the mix."""
    at = set_up({0: "W1 B2", 1: "G1", 2: "G2", 3: "W4 V6"})
    at.act("lay W1", "lay B2", "pass 1+0", "pass 1+0")
    assert at.legal() == ALL_PASSES


def test_a_pass_names_the_whole_split_before_drawing() -> None:
    """Gargon R4: a passing player names the split of 1 to 3 cards before the first draw."""
    at = set_up({0: "W1", 1: "B2", 2: "B3", 3: "B4"}, stacks=("V1 V2 V3", "Y1 Y2 Y3"))
    at.act("lay W1", "pass 1+2")
    assert at.cards(at.state.hand[1]) == "B2 V3 Y3 Y2"
    assert at.state.seat == 2


def test_a_pass_draws_fewer_only_if_the_stacks_hold_fewer() -> None:
    """Gargon R4: a pass draws fewer only if the stacks hold fewer, none if both are empty."""
    at = set_up({0: "W1", 1: "B2", 2: "B3"}, ("V1", "Y1"), seats=3, only_named=True)
    at.act("lay W1")
    assert at.legal() == {"lay B2", "pass 0+1", "pass 1+0", "pass 1+1"}
    at.act("pass 1+1")
    assert at.legal() == {"pass 0+0"}, "B3 is no colour already down, and both stacks are empty"
    at.act("pass 0+0", "fight white")
    assert at.state.seat == -1


MIXES = ([0], [0, 0], [0, 1], [0, 1, 2], [0, 0, 1])
"""The colours of a set of each mix."""


def sets(mix: list[int], hand: list[int]) -> Iterator[list[int]]:
    """Yield all sets of this mix that can be laid from a hand, as colours in any order."""
    for tokens in product(range(len(hand)), repeat=len(mix)):
        colours = [hand[token] for token in tokens]
        is_mix = sorted(map(colours.count, colours)) == sorted(map(mix.count, mix))
        if is_mix and len({*tokens}) == len(mix):
            yield colours


@pytest.mark.parametrize("mix", MIXES)
def test_a_colour_can_be_laid_if_a_set_of_the_mix_goes_on_with_it(mix: list[int]) -> None:
    colours, has_pair = range(4), len({*mix}) < len(mix)
    for counts in product(range(3), repeat=len(colours)):
        hand = [colour for colour in colours for _ in range(counts[colour])]
        possible = [*sets(mix, hand)]
        begun = {tuple(option[:done]) for option in possible for done in range(len(mix))}
        for laid in begun | {()}:
            rest = hand[:]
            for colour in laid:
                rest.remove(colour)
            masks = count_colours(laid, colours), count_colours(rest, colours)
            mask = colours_to_lay(len({*mix}), has_pair, *masks)
            following = {
                option[len(laid)] for option in possible if tuple(option[: len(laid)]) == laid
            }
            assert {colour for colour in colours if mask >> colour & 1} == following
