"""What somebody has to know before believing the figures of a match."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardhub.report.figures import listed, times
from cardhub.report.shape import GameStatistics, Result


@dataclass(frozen=True)
class Notice:
    """A warning in a word and a sentence; loud if figures may be wrong for it."""

    title: str
    text: str
    is_loud: bool = False


def notices(result: Result) -> list[Notice]:
    """Return the warnings of a match, the loud ones first."""
    found = [*_whole(result), *_uneven(result), *_withdrawn(result), *_noted(result)]
    return sorted(found, key=lambda notice: not notice.is_loud)


def _whole(result: Result) -> Iterator[Notice]:
    if not result["is_finished"]:
        told = (
            f"The match was left before its end: all this is about the "
            f"{times(result['games'], 'game')} played so far. The same command goes on."
        )
        yield Notice("Unfinished", told, is_loud=True)
    if not result["is_reproducible"]:
        unsure = listed(result["not_reproducible"])
        told = (
            f"Nothing makes sure that {unsure} would play the same again: programs, and bots that "
            "look at the clock. Another run may come out otherwise; the games that were played can "
            "still be verified."
        )
        yield Notice("Not reproducible", told, is_loud=True)
    if result["stop"]:
        yield Notice("Ended early", f"{result['stop']}.")


def _withdrawn(result: Result) -> Iterator[Notice]:
    for bot, games in result["withdrawn"].items():
        told = f"{bot} was withdrawn after {times(games, 'game')}: it was at fault too often."
        yield Notice("Withdrawn", told)


def _uneven(result: Result) -> Iterator[Notice]:
    for game in result["statistics"]["games"]:
        if told := uneven(game):
            yield Notice("Uneven blocks", f"{game['game']}: {told}", is_loud=True)


def uneven(game: GameStatistics) -> str:
    """Return what is not as it must be in the blocks of a game, or nothing."""
    audit = game["audit"]
    kinds = {
        "other_cards": "the deal was not the same in all games",
        "uneven_seats": "a bot did not sit everywhere equally often",
        "uneven_points": "points did not have the mean ½",
    }
    counts = {
        "other_cards": audit["other_cards"],
        "uneven_seats": audit["uneven_seats"],
        "uneven_points": audit["uneven_points"],
    }
    found = [f"in {times(counts[key], 'block')} {kinds[key]}" for key in kinds if counts[key]]
    return f"{listed(found)}. Game, seeds or seatings are at fault." if found else ""


def _noted(result: Result) -> Iterator[Notice]:
    for note in result["statistics"]["notes"]:
        yield Notice("Note", note)
