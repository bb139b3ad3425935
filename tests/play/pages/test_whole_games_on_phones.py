"""Whole games on phones: the size of the bottom panel and of all targets, at sampled decisions."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.kit.browsing import Visitor
from tests.play.pages.table_page import BEGIN, Shown, advance, started, to_json, view_by, write_page
from tests.play.pages.table_scripts import SMALL, TALL, WIDE

from cardhub.plugins.registry import find_plugins
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import AreaView, View

GAMES = ("gargon", "gamon", "garner", "hearts", "gin_rummy", "big_two")
# Games whose whole table fits the smallest phone, up to this number of cards in the viewer's hand.
FIT = {"gargon": 14, "garner": 0}
# The most actions of a game. The first decisions are all drawn, later every ninth decision.
MOST, FIRST, STEP = 140, 6, 9


def decisions(name: str) -> Iterator[Shown]:
    """Yield views of the seat to act in a seeded game, then the view with the longest hand."""
    referee, rng = started(find_plugins(), name), Random(7)
    catalogue = build_catalogue(referee.game)
    longest = view_by(referee, max(referee.seat, 0))
    while not referee.is_over and referee.action_count < MOST:
        if referee.seat >= 0:
            view = view_by(referee, referee.seat)
            longest = max(longest, view, key=cards_of_hand)
            if referee.action_count < FIRST or not referee.action_count % STEP:
                yield Shown(f"{name} {referee.action_count}", view, catalogue)
        advance(referee, rng)
    yield Shown(f"{name}, {cards_of_hand(longest)} cards", longest, catalogue)


def cards_of_hand(view: View) -> int:
    """Return the number of cards in the viewer's hand."""
    areas = [area for area in view.areas if isinstance(area, AreaView)]
    return sum(len(area.cards) for area in areas if area.region == "hand")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_fits_phones(visit_page: Visitor, tmp_path: Path, game: str) -> None:
    """The bottom panel has at most a third of the height, and no region scrolls sideways.

    On a normal phone, all targets are as large as a fingertip. On the smallest phone, the tables of
    the games in `FIT` do not scroll vertically.
    """
    write_page(tmp_path / "table.html")
    shown = list(decisions(game))
    for width, height in ((390, 844), (360, 640)):
        page = visit_page(tmp_path / "table.html", width, height, has_touch=True).page
        page.evaluate(BEGIN, to_json(shown[0].catalogue))
        findings = {}
        for table in shown:
            table.next_on(page)
            findings[table.name] = page.evaluate(WIDE)
            if width == 390:
                findings[table.name] += page.evaluate(SMALL)
            elif cards_of_hand(table.view) <= FIT.get(game, -1):
                findings[table.name] += page.evaluate(TALL)
        assert {name: faults for name, faults in findings.items() if faults} == {}
