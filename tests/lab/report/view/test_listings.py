"""Selections of games, and the lists of them in a report."""

from typing import Any

import pytest

from cardhub.lab.analysis.block_schema import UncountedBlock
from cardhub.lab.report.view import listings
from cardhub.lab.report.view.listings import Listings, Selection


@pytest.mark.parametrize(
    ("selection", "command"),
    [
        (Selection(), "cardhub match games ."),
        (Selection("kuhn", ("a", "b")), "cardhub match games . --game kuhn --bots a,b"),
        (Selection(deals=(0, 9)), "cardhub match games . --deals 0..9"),
        (
            Selection("o'x", ("a", "b"), margin=(-4, -2)),
            "cardhub match games . --game 'o'\"'\"'x' --bots a,b --margin=-4..-2",
        ),
        (Selection(is_faulty=True), "cardhub match games . --faulty"),
    ],
)
def test_a_selection_tells_the_command_that_lists_it(selection: Selection, command: str) -> None:
    assert selection.command == command


def test_selections_choose_by_all_that_they_say(cup: Any) -> None:
    games = cup.games

    def chosen(selection: Selection) -> set[str]:
        return {game.id for game in games if selection.has(game)}

    assert chosen(Selection()) == {game.id for game in games}
    assert chosen(Selection("kuhn")) == {game.id for game in games if game.contest == "kuhn"}
    meant = {g.id for g in games if {"dice", "broken"} == set(g.bots) and g.deal in (2, 3)}
    assert chosen(Selection("leduc", ("broken", "dice"), (2, 3))) == meant
    assert chosen(Selection(is_faulty=True)) == {game.id for game in games if game.faults}
    assert chosen(Selection(ids=(games[3].id,))) == {games[3].id}
    ahead = {g.id for g in games if g.contest == "kuhn" and g.scores[g.seats.index("dice")] == 2}
    assert chosen(Selection("kuhn", ("dice", "steady"), margin=(3, 5))) == ahead


def test_lists_are_filled_with_the_first_games(cup: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listings, "MAX_ROWS", 8)
    filled = Listings()
    everything = filled.link(Selection("kuhn"), "All", 12)
    pair = filled.link(Selection("leduc", ("dice", "steady")), "A pair")
    named = filled.link(Selection(ids=(cup.games[-1].id,)), "The last", 1)
    assert filled.link(Selection("kuhn"), "All once more") == everything
    filled.fill(iter(cup.games))
    kuhn = [game.id for game in cup.games if game.contest == "kuhn"]
    assert [game.id for game in filled.of(everything).games] == kuhn[:3]
    assert len(filled.of(pair).games) == 3
    assert len(filled.of(everything).games) < 12
    assert [game.id for game in filled.of(named).games] == [cup.games[-1].id]


def test_games_of_blocks_that_do_not_count_are_found_only_if_they_are_meant(cup: Any) -> None:
    """No figure rests on them."""
    last = cup.games[-1]
    left = UncountedBlock(last.contest, last.bots, (last.deal, last.deal), 2, "unfinished")
    filled = Listings([left])
    counted = filled.link(Selection(last.contest, last.bots), "Counted")
    span = (last.deal, last.deal)
    meant = filled.link(Selection(last.contest, last.bots, span, is_counted=False), "Left out")
    named = filled.link(Selection(ids=(last.id,)), "Named", 1)
    filled.fill(iter(cup.games))
    assert last.id not in {game.id for game in filled.of(counted).games}
    assert last.id in {game.id for game in filled.of(meant).games}
    assert filled.of(named).games == [last]


def test_reading_ends_when_all_lists_are_full(cup: Any) -> None:
    """A long log is not read to its end needlessly."""
    filled, seen = Listings(), []
    filled.link(Selection("leduc"), "Two", 2)
    filled.link(Selection("kuhn", ("broken",)), "None", 0)

    def watched() -> Any:
        for game in cup.games:
            seen.append(game.id)
            yield game

    filled.fill(watched())
    assert len(seen) == 3
