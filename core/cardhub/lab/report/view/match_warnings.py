"""Warnings of a report: reasons to doubt the results of a match."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardhub.base.errors.quoting import listed
from cardhub.lab.analysis.game_schema import GameStatistics
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.report.number_format import times


@dataclass(frozen=True)
class ReportWarning:
    """A warning with a title; `is_loud`: the results may be wrong."""

    title: str
    text: str
    is_loud: bool = False


def warnings_of(result: MatchResult) -> list[ReportWarning]:
    """Return the warnings of a match, loud ones first."""
    found = [*_state(result), *_audit(result), *_withdrawn(result), *_notes(result)]
    # The sort is stable: within both groups the order above remains.
    return sorted(found, key=lambda warning: not warning.is_loud)


def _state(result: MatchResult) -> Iterator[ReportWarning]:
    if not result.is_finished:
        text = (
            f"The match is unfinished: this report covers the "
            f"{times(result.games, 'game')} played so far. The same command continues it."
        )
        yield ReportWarning("Unfinished", text, is_loud=True)
    if not result.is_reproducible:
        unsure = listed(result.not_reproducible)
        text = (
            f"It is not guaranteed that {unsure} would play the same again: bots that are programs "
            "or use the clock. Another run may have other results; the games of this run can still "
            "be verified."
        )
        yield ReportWarning("Not reproducible", text, is_loud=True)
    # Not loud: an end by the test or after a withdrawal follows the rules of the match file.
    if result.stop:
        yield ReportWarning("Ended early", f"{result.stop}.")


def _withdrawn(result: MatchResult) -> Iterator[ReportWarning]:
    for bot, games in result.withdrawn.items():
        text = f"{bot} was withdrawn after {times(games, 'game')}: it was at fault too often."
        yield ReportWarning("Withdrawn", text)


def _audit(result: MatchResult) -> Iterator[ReportWarning]:
    for game in result.statistics.games:
        if text := audit_failures(game):
            yield ReportWarning("Uneven blocks", f"{game.game}: {text}", is_loud=True)


def audit_failures(game: GameStatistics) -> str:
    """Return a sentence on the failed checks of the blocks of a game, empty if there are none."""
    audit = game.audit
    kinds = (
        (audit.other_cards, "the deal was not the same in all games"),
        (audit.uneven_seats, "a bot did not sit everywhere equally often"),
        (audit.uneven_scores, "scores did not have the mean ½"),
    )
    found = [f"in {times(blocks, 'block')} {kind}" for blocks, kind in kinds if blocks]
    return f"{listed(found)}. Game, seeds or seatings are at fault." if found else ""


def _notes(result: MatchResult) -> Iterator[ReportWarning]:
    for note in result.statistics.notes:
        yield ReportWarning("Note", note)
