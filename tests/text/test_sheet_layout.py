"""A scene laid out in lines."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.text import ASCII, lay_out, render

NAMES = ["Anna", "Bob", "Chris", "David", "Eva"]

FIRST_TURN = """\
left stack 26 GVBWVYRGWVGYGRWRYGWYRRBYWW
right stack 26 YYGYRGGRGRBBVYBWVBWVRRWWWR
discarded 0

  Bob    hand 10 BBVVVRRYGG  laid 0
  Chris  hand 10 WWWBVVVYGG  laid 0
  David  hand 10 BVVRRYYYYG  laid 0
  Eva    hand 10 WWBBBBVRGG  laid 0

> Anna   won 0  laid 0  hand 10
  [W0] [B1] [B4] [B12][V1] [V7] [R14][Y3] [Y15][G11]
   ×2   5●   3●   1●   5●   2●        5●        1●
"""


def test_shared_areas_come_first_then_the_others_then_the_own_hand(
    table: Callable[..., Any],
) -> None:
    """One line for each area and player, the own hand large with its details."""
    assert table(seats=5).text() == FIRST_TURN


def test_five_players_fit_beside_the_log_of_a_terminal_of_80_by_24(
    table: Callable[..., Any],
) -> None:
    """Early in a game the board needs at most 20 lines of 53 cells."""
    early = table(seats=5)
    for _ in range(15):
        lines = early.play(1).text().splitlines()
        assert len(lines) <= 20
        assert max(map(len, lines)) <= 53


@pytest.mark.parametrize("game", ["gargon", "magpie", "patchwork"])
def test_no_line_is_wider_than_asked_for(game: str, table: Callable[..., Any]) -> None:
    """Words that do not fit go to the next line."""
    for observation in table(game).all_positions():
        for width in (40, 53, 78):
            sheet = lay_out(observation, NAMES, width)
            widths = [sum(span.width for span in line) for line in sheet.all_lines]
            assert max(widths) <= width


@pytest.mark.parametrize("game", ["gargon", "magpie", "patchwork"])
def test_every_legal_action_is_at_a_spot_that_is_drawn_and_marked(
    game: str, table: Callable[..., Any]
) -> None:
    """All legal actions can be reached, and no other spot is marked as legal."""
    for observation in table(game).all_positions():
        sheet = lay_out(observation, NAMES, 53)
        marked = {s.spot for line in sheet.all_lines for s in line if s.is_legal}
        assert marked == set(sheet.legal)
        actions = {action for spot in sheet.legal for action in sheet.legal[spot]}
        assert sorted(actions) == sorted(observation.legal())


def test_legal_cards_are_marked_in_the_text_and_only_at_the_own_turn(
    table: Callable[..., Any],
) -> None:
    """Brackets, not colours, mark legal cards."""
    first = table()
    assert "[B12]" in first.text(seat=0)
    assert "[" not in first.text(seat=1)


def test_the_seat_to_act_is_marked_at_its_name_for_all_viewers(table: Callable[..., Any]) -> None:
    """A spectator sees whose turn it is as well."""
    first = table(seats=4)
    assert "> Anna" in first.text(seat=4)
    assert "  Bob" in first.text(seat=4)


def test_changed_cards_are_marked_in_hands_and_rows(table: Callable[..., Any]) -> None:
    """Changed cards have a star, large or small, seen or not."""
    first = table(seats=5)
    own, other = first.observe().state.hand[0][0], first.observe().state.hand[1][0]
    text = render(lay_out(first.observe(0), NAMES, 53, {own, other}))
    assert "R14" in text
    assert text.count("*") == 2
    row = next(line for line in text.splitlines() if "Bob" in line)
    assert "*" in row


def test_a_face_the_viewer_has_seen_shows_in_another_hand(
    table: Callable[..., Any],
) -> None:
    """Cards that a seat has seen stay shown to it."""
    first = table(seats=3)
    state = first.referee.observe(EVERYTHING).state
    token = state.hand[1][0]
    name = first.observe(1).labels().card(token)
    known = first.observe(0)
    assert f" {name} " not in render(lay_out(known, NAMES, 53))
    state.show(token, 0)
    shown = Observation(first.referee.game, state, 0)
    row = next(line for line in render(lay_out(shown, NAMES, 53)).splitlines() if "Bob" in line)
    assert f" {name}" in row


def test_closed_areas_show_no_face_even_if_it_was_seen(table: Callable[..., Any]) -> None:
    """Closed winnings are counted, open ones are named (gargon R8)."""
    closed, opened = table(seats=3).play(40), table(seats=3, open_winnings=True).play(40)
    won = opened.observe(0).state.won[1]
    names = {opened.observe(0).labels().card(token) for token in won}
    line = next(x for x in opened.text(seat=0).splitlines() if "Bob" in x)
    assert names
    assert all(name in line for name in names)
    line = next(x for x in closed.text(seat=0).splitlines() if "Bob" in x)
    assert not any(f" {name} " in f"{line} " for name in names)


@pytest.mark.parametrize("game", ["gargon", "magpie"])
def test_no_determinization_changes_a_single_character(
    game: str, table: Callable[..., Any]
) -> None:
    """Secrecy of renderings: they do not depend on faces that the seat has not seen."""
    rng = Random(5)
    for observation in list(table(game, seed=4).all_positions())[::7]:
        text = render(lay_out(observation, NAMES, 53))
        other = Observation(observation.game, observation.determinize(rng), observation.seat)
        assert render(lay_out(other, NAMES, 53)) == text


def test_a_pile_shows_its_count_and_its_last_cards(table: Callable[..., Any]) -> None:
    """A long discard pile takes up one line."""
    late = table(seats=3).play(90)
    pile = late.observe(0).state.discard
    labels = late.observe(0).labels()
    assert len(pile) > 6
    last = " ".join(labels.card(token) for token in pile[-6:])
    assert f"discarded {len(pile)} … {last}\n" in late.text(seat=0)


def test_a_hand_of_25_cards_wraps(table: Callable[..., Any]) -> None:
    """A hand takes as many lines as it needs."""
    first = table(seats=3)
    state = first.referee.observe(EVERYTHING).state
    for token in state.hand[1] + state.hand[2][:5]:
        state.show(token, 0)
    state.hand[0] += state.hand[1] + state.hand[2][:5]
    state.hand[1], state.hand[2] = [], state.hand[2][5:]
    grown = Observation(first.referee.game, state, 0)
    text = render(lay_out(grown, NAMES, 53))
    assert "hand 25" in text
    assert sum("[" in line for line in text.splitlines()) == 3


def test_ascii_glyphs_give_pure_ascii(table: Callable[..., Any]) -> None:
    """The amulets of a game's details are mapped too."""
    text = table().text(glyphs=ASCII)
    assert text.isascii()
    assert " 5o " in text
    assert " x2 " in text
