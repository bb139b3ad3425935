"""Amounts in a view: one choice with a range, instead of one for each amount."""

import pytest
from tests.kit.holdem_hands import HOLDEM, hand, view_of

from cardhub.view.amount_ranges import describe_amounts
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text.glyphs import UNICODE
from cardhub.view.text.table_text import table_lines
from cardhub.view.view import ChoiceView, View, decode_view, encode


def raising(view: View) -> ChoiceView:
    """Return the choice among raises."""
    return next(choice for choice in view.choices if choice.amounts is not None)


def test_all_raises_are_one_choice_with_a_range_and_shortcuts() -> None:
    choice = raising(view_of(hand(100, 100, 100)))
    assert (choice.name, choice.verb, choice.object) == ("raise to 4–100", "raise", "to 4–100")
    assert choice.amounts is not None
    assert (choice.amounts.low, choice.amounts.high, choice.amounts.step) == (4, 100, 1)
    assert dict(choice.amounts.shortcuts) == {"half the pot": 4, "pot": 7, "all-in": 100}


def test_a_view_has_all_legal_actions_and_finds_each_by_its_action_and_its_name() -> None:
    at = hand(100, 100, 100)
    view = view_of(at)
    assert sorted(view.actions()) == sorted(HOLDEM.legal(at.state))
    chosen = view.choice_named("raise to 37")
    assert chosen is not None
    assert (chosen.notation, chosen.amounts) == ("raise 37", None)
    assert view.choice(chosen.action) == chosen
    assert view.choice_named("raise to 101") is None
    assert view.choice(-1) is None


def test_few_amounts_are_choices_of_their_own() -> None:
    view = view_of(hand(5, 100, 100))
    names = [choice.name for choice in view.choices]
    assert names == ["fold", "call 2", "raise to 4", "raise to 5"]


def test_amounts_survive_the_json_form_of_a_view() -> None:
    view = view_of(hand(100, 100))
    assert decode_view(encode(view)) == view


def test_shortcuts_that_are_not_legal_are_left_out() -> None:
    at = hand(100, 20, 100)
    at.act("raise 8")  # a raise to half the pot or to the pot would be one to 17 or 27
    amounts = raising(view_of(at)).amounts
    assert amounts is not None
    assert dict(amounts.shortcuts) == {"half the pot": 17, "all-in": 20}


def test_only_amounts_that_the_display_calls_costly_need_confirmation() -> None:
    choice = raising(view_of(hand(100, 100)))
    tones = [choice.with_amount(amount).tone for amount in (4, 99, 100)]
    assert (choice.tone, tones) == ("plain", ["plain", "plain", "costly"])


def test_an_action_may_be_costly_in_some_positions_only() -> None:
    """Only the second player to fold has staked chips: the small blind."""
    at, tones = hand(100, 100, 100), []
    for _ in range(2):
        tones += [choice.tone for choice in view_of(at).choices if choice.name == "fold"]
        at.act("call")
    assert tones == ["plain", "costly"]


def test_an_action_that_usually_comes_next_is_costly_where_the_display_says_so() -> None:
    """With chips for the blind only, a call is an all-in."""
    for chips, tone in ((100, "primary"), (2, "costly")):
        call = view_of(hand(chips, 100, 100)).choice_named("call 2")
        assert call is not None
        assert call.tone == tone


def test_an_amount_outside_of_the_range_is_refused() -> None:
    with pytest.raises(ValueError, match="3"):
        raising(view_of(hand(100, 100))).with_amount(3)


def test_plain_text_has_one_line_for_all_amounts() -> None:
    view = view_of(hand(100, 100, 100))
    text = "\n".join(table_lines(view, build_catalogue(HOLDEM), 80, UNICODE))
    assert "3. raise to 4–100 (half the pot 4, pot 7, all-in 100)" in text
    assert describe_amounts(view.choices[0]) == "fold"
