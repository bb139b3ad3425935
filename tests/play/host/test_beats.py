"""Beats at a running table: each viewer sees a trick before it is swept, and bots wait for that."""

from collections.abc import Callable

import pytest
from tests.play.host.conftest import Table

from cardhub.play.table_messages import BeatView
from cardhub.view.view import AreaView, View
from hearts import Hearts

TRICK = 4


def cards_in_front(view: View) -> int:
    """Return the number of cards that lie before the players."""
    areas = [area for area in view.areas if isinstance(area, AreaView)]
    return sum(len(area.cards) for area in areas if area.region == "front")


def take_step(game: Table) -> None:
    """Let the bot act as soon as the pace allows it."""
    step = game.host.step
    game.answer()
    while game.host.step == step:
        game.clock.wait(0.1)


def beats(game: Table, viewer: int = 0) -> tuple[BeatView, ...]:
    """Return the beats that a viewer gets."""
    return game.host.model(viewer).table.beats


@pytest.fixture
def at_a_trick(table: Callable[..., Table]) -> Callable[..., Table]:
    """Return a function that plays until the first trick of a hand of Hearts is complete."""

    def play(*, people: tuple[int, ...] = (0,), pace: float = 0.6) -> Table:
        game = table(Hearts(), people=people, seats=4, pace=pace).begin()
        for viewer in (*people, 4):
            game.host.model(viewer)
        while not any(game.referee._state.taken):
            if game.host.is_bots_turn:
                take_step(game)
            else:
                game.act(game.referee.seat)
        return game

    return play


def test_all_cards_of_a_trick_lie_on_the_table_for_every_viewer(
    at_a_trick: Callable[..., Table],
) -> None:
    game = at_a_trick()
    for viewer in (0, 4):
        (beat,) = beats(game, viewer)
        assert cards_in_front(beat.view) == TRICK
        assert cards_in_front(game.host.model(viewer).view()) < TRICK
        assert beat.view.viewer == viewer
        assert beat.step == game.host.step
        assert not beat.view.choices


def test_the_winner_and_the_winning_card_stand_out(at_a_trick: Callable[..., Table]) -> None:
    game = at_a_trick()
    (beat,) = beats(game)
    winner = game.referee._state.leader
    assert beat.view.to_act == winner
    assert beat.view.prompt == f"{beat.view.players[winner].name} takes the trick"
    areas = [area for area in beat.view.areas if isinstance(area, AreaView)]
    marked = [area for area in areas for card in area.cards if card.is_new]
    assert [(area.caption, area.seat) for area in marked] == [("plays", winner)]


def test_the_next_bot_waits_until_people_have_read(at_a_trick: Callable[..., Table]) -> None:
    game = at_a_trick(people=())
    (beat,) = beats(game, 4)
    step = game.host.step
    game.answer(seconds=beat.seconds + 0.5)
    assert game.host.step == step
    game.clock.wait(0.2)
    assert game.host.step == step + 1


def test_who_has_read_lets_the_next_bot_act_at_the_usual_pace(
    at_a_trick: Callable[..., Table],
) -> None:
    game = at_a_trick(people=())
    step = game.host.step
    game.answer(seconds=0.1)
    game.host.model(4).request("read")
    game.clock.wait(0.6)
    assert game.host.step == step + 1


def test_without_a_pace_nobody_waits(at_a_trick: Callable[..., Table]) -> None:
    game = at_a_trick(people=(), pace=0)
    step = game.host.step
    game.answer()
    assert game.host.step == step + 1


def test_a_later_action_and_a_takeback_end_the_beats(at_a_trick: Callable[..., Table]) -> None:
    game = at_a_trick(people=(0, 1, 2, 3))
    acted = game.referee.observe(4).history[-1].seat
    assert beats(game, acted)
    game.host.take_back(acted, [seat for seat in range(4) if seat != acted])
    assert not beats(game, acted)
    game.act(game.referee.seat)
    assert beats(game, acted)
    game.act(game.referee.seat)
    assert not beats(game, acted)


def test_who_comes_later_sees_no_beats_of_the_past(at_a_trick: Callable[..., Table]) -> None:
    """A resumed game begins with the table as it is."""
    game = at_a_trick(people=(0,))
    again = game.referee.restarted()
    for entry in game.referee.entries[1:]:
        again.apply_entry(entry)
    resumed = Table(Hearts(), people=(0,), seats=4, pace=0.6, resumed=again)
    assert beats(resumed) == ()
