"""A game of the workbench: positions repeated by the present rules, shown to all seats."""

from typing import Any

import pytest
from typing_extensions import override

from cardhub import Game
from cardhub.testing.workbench.bench_game import answer_question
from cardhub.testing.workbench.bench_messages import (
    BenchCommand,
    BenchPosition,
    BenchQuestion,
    Choose,
    Explain,
    Explained,
    Look,
    NewDeal,
    PlayOn,
    ShownPosition,
    Unusable,
)
from goofspiel import Goofspiel
from kuhn import Kuhn
from kuhn.game import Table

DEAL = NewDeal(0, {}, 1)


def shown(
    game: Game[Any], command: BenchCommand, position: BenchPosition | None = None
) -> ShownPosition:
    reply = answer_question(game, BenchQuestion(command, position))
    assert isinstance(reply, ShownPosition), reply
    return reply


def choice(position: ShownPosition, viewer: int, number: int = 0) -> Choose:
    view = position.tables[viewer].view
    assert view is not None
    return Choose(viewer, view.choices[number].action)


def test_a_deal_is_shown_to_each_seat_with_its_own_cards_and_choices() -> None:
    dealt = shown(Kuhn(), DEAL)
    assert [table.name for table in dealt.tables] == ["Anna", "Bob", "all"]
    anna, bob, everything = (table.view for table in dealt.tables)
    assert anna is not None
    assert bob is not None
    assert everything is not None
    assert [c.name for c in anna.choices] == ["check", "bet"]
    assert not bob.choices
    assert (dealt.seats, dealt.seed) == ((2, 2), "1")


def test_an_action_of_any_table_goes_on_from_the_shown_step() -> None:
    dealt = shown(Kuhn(), DEAL)
    checked = shown(Kuhn(), choice(dealt, 0), dealt.position)
    bet = shown(Kuhn(), choice(checked, 1, 1), checked.position)
    assert [stop.action for stop in bet.stops] == ["deal", "check", "bet"]
    back = shown(Kuhn(), Look(0), bet.position)
    assert len(back.stops) == 3
    assert back.position.step == 0
    other = shown(Kuhn(), choice(back, 0, 1), back.position)
    assert [stop.action for stop in other.stops] == ["deal", "bet"]


def test_random_actions_are_the_same_from_the_same_position() -> None:
    dealt = shown(Kuhn(), DEAL)
    ends = [shown(Kuhn(), PlayOn(100), dealt.position) for _ in range(2)]
    assert ends[0].position.record == ends[1].position.record
    assert ends[0].tables[0].result is not None


def test_choices_at_the_same_time_wait_until_all_seats_have_chosen() -> None:
    game = Goofspiel()
    dealt = shown(game, NewDeal(2, {}, 1))
    one = shown(game, choice(dealt, 1), dealt.position)
    assert list(one.position.choices) == [1]
    assert one.stops == dealt.stops
    both = shown(game, choice(one, 0), one.position)
    assert not both.position.choices
    assert len(both.stops) > len(one.stops)


class NoSecondBet(Kuhn):
    """Kuhn poker whose second player may not bet."""

    @override
    def legal(self, state: Table) -> list[int]:
        legal = super().legal(state)
        return legal[:1] if state.seat == 1 else legal


def test_changed_rules_repeat_a_position_up_to_the_first_action_that_they_forbid() -> None:
    dealt = shown(Kuhn(), DEAL)
    checked = shown(Kuhn(), choice(dealt, 0), dealt.position)
    bet = shown(Kuhn(), choice(checked, 1, 1), checked.position)
    less = shown(NoSecondBet(), Look(), bet.position)
    assert (less.repeated, less.lines) == (1, 2)
    assert [stop.action for stop in less.stops] == ["deal", "check"]
    assert less.faults[0].text.startswith("Only 1 of 2 lines can be repeated: ")


def test_actions_that_the_rules_forbid_for_a_while_come_back() -> None:
    checked = shown(Kuhn(), choice(shown(Kuhn(), DEAL), 0), shown(Kuhn(), DEAL).position)
    bet = shown(Kuhn(), choice(checked, 1, 1), checked.position)
    less = shown(NoSecondBet(), Look(), bet.position)
    again = shown(Kuhn(), Look(), less.position)
    assert [stop.action for stop in again.stops] == ["deal", "check", "bet"]
    assert not again.faults
    other = shown(NoSecondBet(), choice(less, 1), less.position)
    assert [stop.action for stop in other.stops] == ["deal", "check", "check", "end"]


class OtherCards(Kuhn):
    """Kuhn poker with another version of its rules, so that no old record fits."""

    version = "99"


def test_if_the_cards_do_not_fit_the_same_seed_deals_anew() -> None:
    bet = shown(Kuhn(), PlayOn(1), shown(Kuhn(), DEAL).position)
    anew = shown(OtherCards(), Look(), bet.position)
    assert (anew.repeated, len(anew.stops), anew.seed) == (0, 1, "1")
    assert anew.faults[0].text.startswith("The game cannot be dealt as before")


class Fails(Kuhn):
    """Kuhn poker that fails with the first bet."""

    @override
    def apply(self, state: Table, action: int) -> None:
        if action == 1:
            raise KeyError("no such pot")
        super().apply(state, action)


def test_a_fault_of_the_rules_has_its_line_and_leaves_the_position() -> None:
    dealt = shown(Kuhn(), DEAL)
    bet = shown(Kuhn(), choice(dealt, 0, 1), dealt.position)
    failed = shown(Fails(), Look(), bet.position)
    (fault,) = failed.faults
    assert "no such pot" in fault.text
    assert fault.file == __file__
    assert len(failed.stops) == 1
    refused = answer_question(Fails(), BenchQuestion(choice(dealt, 0, 1), dealt.position))
    assert isinstance(refused, Unusable)
    assert "no such pot" in refused.faults[0].text


def test_a_table_that_cannot_be_drawn_says_why_and_the_others_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Kuhn()
    scene = type(game.display).scene

    def fails_for_bob(display: Any, state: Table, viewer: int) -> Any:
        if viewer == 1:
            raise ValueError("no place for Bob")
        return scene(display, state, viewer)

    monkeypatch.setattr(type(game.display), "scene", fails_for_bob)
    anna, bob, _ = shown(game, DEAL).tables
    assert anna.view is not None
    assert bob.view is None
    assert bob.fault is not None
    assert "no place for Bob" in bob.fault.text


def test_a_spot_is_described_to_its_viewer() -> None:
    dealt = shown(Kuhn(), DEAL)
    view = dealt.tables[0].view
    assert view is not None
    card = next(spot for spot in view.spots() if spot.kind == "card")
    reply = answer_question(Kuhn(), BenchQuestion(Explain(0, card), dealt.position))
    assert isinstance(reply, Explained)
    assert reply.text


def test_without_a_deal_there_is_nothing_to_show() -> None:
    reply = answer_question(Kuhn(), BenchQuestion(Look(), None))
    assert isinstance(reply, Unusable)
