"""What a report says about the rounds of a match."""

from pathlib import Path

import pytest

from cardhub.lab.analysis import analyse
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.rounds import EncounterRow, PlaceRow, RoundsRow, Ruling
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.report.rendering import html, markdown
from cardhub.lab.report.report_files import written_result
from cardhub.lab.report.tables import encounters
from cardhub.lab.report.view.page import read_page
from cardhub.lab.report.view.rounds_view import rounds_sentence
from cardhub.plugins.registry import PluginRegistry, find_plugins


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed plugins."""
    return find_plugins()


def final(winner: str | None, ruling: Ruling | None) -> RoundsRow:
    """Return a knock-out of two bots with one meeting."""
    row = EncounterRow(1, ("a", "b"), 4, 0.5, winner, ruling)
    return RoundsRow("kuhn", "knockout", (row,), (PlaceRow("a", 1, 0.0), PlaceRow("b", 1, 0.0)))


@pytest.mark.parametrize(
    ("winner", "ruling", "sentence"),
    [
        ("a", "score", "a wins the knock-out in kuhn, in 1 round."),
        ("b", "further blocks", "b wins the knock-out in kuhn, in 1 round; 1 meeting after a tie."),
        ("a", "order", "a wins the knock-out in kuhn, in 1 round; 1 meeting after a tie."),
        ("b", "withdrawal", "b wins the knock-out in kuhn, in 1 round; 1 meeting by a withdrawal."),
        (None, "withdrawal", "Nobody wins the knock-out in kuhn: both last bots were withdrawn."),
        (None, None, "The knock-out in kuhn is in round 1."),
    ],
)
def test_a_knockout_has_a_winner_and_says_by_what(
    winner: str | None, ruling: Ruling | None, sentence: str
) -> None:
    assert rounds_sentence(final(winner, ruling)) == sentence


def test_only_a_knockout_lists_who_goes_on() -> None:
    knockout = final("a", "order")
    assert encounters(knockout).rows[0][-2:] == ("a", "order of the file after a tie")
    swiss = RoundsRow("kuhn", "swiss", knockout.encounters, knockout.places)
    assert encounters(swiss).rows == [("1", "a – b", "0.500", "4")]
    assert rounds_sentence(swiss) == "a and b are first in kuhn after 1 Swiss round."


def test_reports_list_the_rounds(registry: PluginRegistry, tmp_path: Path) -> None:
    content = {
        "games": ["kuhn"],
        "bots": ["random", "random", "random"],
        "schedule": {"mode": "swiss", "blocks": 2},
    }
    run(parse_match(content, registry), registry, tmp_path / "cup", RunOptions(analyse=analyse))
    page = read_page(written_result(tmp_path / "cup"), ())
    for text in (markdown(page), html(page)):
        assert "random-3 (bye)" in text
        assert "Results chose who met whom" in text
        assert "after 2 Swiss rounds" in text
