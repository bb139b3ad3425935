"""Descriptions of spots, the rules with their options, and the lines of unseen cards."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.gamon.positions import set_up
from tests.kit.table_texts import view_of

from cardhub import Area
from cardhub.model.game.initial_state import resolve_options
from cardhub.view.explain.card_texts import sentences
from cardhub.view.explain.explanations import Explainer, rules_with_options
from cardhub.view.explain.unseen_cards import unseen_lines
from cardhub.view.view import Spot
from cardhub_gargon import Gargon

NAMES = ["Anna", "Bob", "Chris", "David", "Eva"]


def explain(table: Any, seat: int, kind: str, key: int, **arguments: Any) -> str:
    """Return the description of the first matching spot in a seat's view."""
    spots = view_of(table.observe(seat), NAMES).spots()
    spot = next(spot for spot in spots if (spot.kind, spot.key) == (kind, key))
    return Explainer(table.observe(seat), NAMES, **arguments).explain(spot)


def test_a_known_card_is_described_with_title_details_text_and_owner(
    table: Callable[..., Any],
) -> None:
    first = table(seats=5)
    token = first.observe(0).state.hand[0][3]
    assert explain(first, 0, "card", token) == (
        "Dragon 0 · W0 · ×2\nDoubles the amulets of its colour."
    )


def test_an_unseen_card_is_described_by_its_possible_faces(table: Callable[..., Any]) -> None:
    first = table(seats=5)
    state = first.observe(0).state
    red = next(t for t in state.hand[1] if first.observe(0).labels().card(t) == "R?")
    text = explain(first, 0, "card", red)
    assert re.match(r"A red card\nOne of \d+ cards not seen yet: 2×R0 R1 R2", text)
    assert "R14" not in text
    assert text.endswith(". Bob: hand")


def test_a_new_card_is_described_with_its_origin(table: Callable[..., Any]) -> None:
    first = table(seats=5)
    token = first.observe(0).state.hand[0][3]
    text = explain(first, 0, "card", token, origins={token: "from Bob's hand, step 141"})
    assert text.endswith("Doubles the amulets of its colour. New: from Bob's hand, step 141.")


def test_a_seat_is_described_with_its_areas(table: Callable[..., Any]) -> None:
    text = Explainer(table(seats=5).observe(0), NAMES).explain(Spot("seat", 1))
    assert text == "Bob\nwon 0 · hand 10"


def test_the_only_card_of_an_area_of_a_seat_is_named_if_it_is_known() -> None:
    at = set_up("gunner", "deckhand")
    shown, hidden = (Explainer(at.observe(seat), NAMES).explain(Spot("seat", 0)) for seat in (0, 1))
    assert "hand Gunner" in shown
    assert "hand 1" in hidden


def test_a_pile_is_described_in_full(table: Callable[..., Any]) -> None:
    late = table(seats=3).play(90)
    pile = late.observe(0).state.discard
    labels = late.observe(0).labels()
    names = " ".join(labels.card(token) for token in pile)
    areas = [area.caption for area in late.observe(0).scene().areas]
    spot = Spot("area", 0, areas.index("discarded"))
    assert Explainer(late.observe(0), NAMES).explain(spot) == (
        f"discarded\n{len(pile)} cards: {names}"
    )


def test_unseen_cards_of_an_area_are_counted_by_back(table: Callable[..., Any]) -> None:
    first = table(seats=5)
    text = Explainer(first.observe(0), NAMES).explain(Spot("area", 0, 3))
    assert text == (
        "Bob: hand\n10 cards: 2 blue cards, 3 violet cards, 2 red cards, a yellow card, "
        "2 green cards"
    )


def test_unseen_cards_of_one_kind_are_counted_once() -> None:
    seen = set_up("gunner", "boatswain deckhand", only_named=True).observe(0)
    areas = [isinstance(a, Area) and (a.seat, a.caption) for a in seen.scene().areas]
    spot = Spot("area", 0, areas.index((1, "hand")))
    assert Explainer(seen, NAMES).explain(spot) == "Bob: hand\n2 Pirate cards"


def test_closed_winnings_stay_closed(table: Callable[..., Any]) -> None:
    """People must not see the cards that others won (gargon R8)."""
    late = table(seats=3).play(40)
    areas = late.observe(0).scene().areas
    shown = [area.seat for area in areas if area.caption == "won"]
    assert any(late.observe(0).state.won[1:])
    assert shown == [0]


def test_a_site_is_described_from_the_top(table: Callable[..., Any]) -> None:
    grid = table("patchwork")
    labels = grid.observe().labels()
    low, top = grid.observe().state.sites[4]
    text = explain(grid, 0, "site", 4)
    assert text.startswith(f"Patch A 8 · {labels.card(top)} · b2")
    assert text.endswith(f"\nBelow: {labels.card(low)}")


def test_a_title_that_ends_in_a_mark_gets_no_full_stop() -> None:
    """The Pirates' card is called "All Hands Hoay!", and its text follows directly."""
    assert sentences("All Hands Hoay!", "Worth the number called.") == (
        "All Hands Hoay! Worth the number called."
    )
    assert sentences("Gunner", "Won the battle.") == "Gunner. Won the battle."
    assert sentences("W5 Dragon 5", "") == "W5 Dragon 5"
    assert sentences("", "Won the battle.") == "Won the battle."


@pytest.mark.parametrize(("seats", "last"), [(3, 2), (5, 4)])
def test_an_option_tells_its_values_for_the_players_at_the_table(seats: int, last: int) -> None:
    game = Gargon()
    text = rules_with_options(game, resolve_options(game, {}, seats), seats)
    assert f"- `start`: 0 (a seat from 0 to {last}). " in text
    assert "- `open_winnings`: off. " in text


def test_there_is_a_line_for_each_back_with_the_faces_and_their_number(
    table: Callable[..., Any],
) -> None:
    lines = unseen_lines(table(seats=5).observe(0))
    assert [line.partition(":")[0] for line in lines][:2] == ["White card", "Blue card"]
    red = next(line for line in lines if line.startswith("Red card: "))
    assert red.startswith("Red card: 2×R0 R1 R2")
    assert "R14" not in red.split()
