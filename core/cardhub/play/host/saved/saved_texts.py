"""Saved games and their statistics in words, each on one line."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.scoring import score_text
from cardhub.play.host.saved.saved_list import SavedGame, SavedPosition, find_position
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.text.amounts import amount

MINUTE, HOUR, DAY = 60, 3600, 86400
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


class SavedLine(NamedTuple):
    """A saved game in words: `Gargon, round 9`, `your turn` or a result, `4 players`, an age.

    `error` is why the game cannot be replayed here, else empty; `chapter` is part of `title`.
    """

    title: str
    state: str
    players: str
    age: str
    chapter: str = ""
    error: str = ""


def describe_saved(
    registry: PluginRegistry, saved: SavedGame, now: float, *, replays: bool = True
) -> SavedLine:
    """Return a saved game in words; an unfinished one is replayed to its present position.

    Without `replays` the chapter and the turn are left out, which is faster.
    """
    age, players = time_ago(saved.changed, now), opponents(saved)
    try:
        game = registry.game(saved.game)
        if saved.is_finished:
            state = result_text(saved, _unit_size(game, saved))
            return SavedLine(game.title, state, players, age)
        if not replays:
            return SavedLine(game.title, "", players, age)
        position = find_position(game, saved)
    except CardhubError as error:
        return SavedLine(saved.game, "cannot be replayed", players, age, error=str(error))
    except Exception as error:  # noqa: BLE001  # the code of a faulty game may raise anything
        text = f"{saved.game} failed: {type(error).__name__}: {error}"
        return SavedLine(saved.game, "cannot be replayed", players, age, error=text)
    title = f"{game.title}, {position.chapter}" if position.chapter else game.title
    return SavedLine(title, turn_text(saved, position), players, age, position.chapter)


def _unit_size(game: Game[Any], saved: SavedGame) -> int:
    return game.unit_size(resolve_options(game, saved.options, len(saved.players)))


def time_ago(then: float, now: float) -> str:
    """Return how long ago a time was: `2 hours ago`, `yesterday`, `19 Nov`, `19 Nov 2025`.

    Times are in seconds since the epoch; days are those of the local calendar.
    """
    passed = max(0, now - then)
    if passed < MINUTE:
        return "just now"
    if passed < HOUR:
        return amount(int(passed // MINUTE), "minute") + " ago"
    when, today = datetime.fromtimestamp(then), datetime.fromtimestamp(now)
    days = (today.date() - when.date()).days
    if days == 0 or passed < DAY / 4:
        return amount(int(passed // HOUR), "hour") + " ago"
    if days == 1:
        return "yesterday"
    if days < 7:
        return f"{days} days ago"
    return day_of(then, now)


def day_of(then: float, now: float) -> str:
    """Return a day: `today`, `yesterday`, `19 Nov`, or `19 Nov 2025` of another year."""
    when, today = datetime.fromtimestamp(then), datetime.fromtimestamp(now)
    days = (today.date() - when.date()).days
    if days in (0, 1):
        return ("today", "yesterday")[days]
    text = f"{when.day} {when:%b}"
    return text if when.year == today.year else f"{text} {when.year}"


def opponents(saved: SavedGame) -> str:
    """Return who plays: `against rule` of two, else `4 players`; `2 people` without bots."""
    bots = [player.kind for player in saved.players if not player.is_human]
    if len(saved.players) == 2 and len(bots) == 1:
        return f"against {bots[0]}"
    if not bots:
        return amount(len(saved.players), "person").replace("persons", "people")
    return amount(len(saved.players), "player")


def turn_text(saved: SavedGame, position: SavedPosition) -> str:
    """Return whose turn it is: `your turn` of the only person, else `Bob’s turn`; may be empty."""
    if position.seat < 0:
        return ""
    if saved.people == (position.seat,):
        return "your turn"
    return f"{saved.players[position.seat].name}’s turn"


def result_text(saved: SavedGame, unit_size: int = 1) -> str:
    """Return the result: `won` or `lost` of two, else the place; then all scores by seat.

    Without exactly one person it is the winner's name.
    """
    scores = [score_text(score, unit_size) for score in saved.scores]
    joined = (" : " if len(scores) == 2 else " ").join(scores)
    return f"{_outcome_text(saved)} {joined}".strip()


def _outcome_text(saved: SavedGame) -> str:
    places = saved.places
    if len(places) > 1 and len(set(places)) == 1:
        return "draw"
    if len(saved.people) == 1 and len(places) > 1:
        place = places[saved.people[0]]
        if len(places) == 2:
            return "won" if place == 1 else "lost"
        return ORDINALS.get(place, f"{place}th")
    return "" if len(places) == 1 else f"{_winners(saved, places)} won"


def _winners(saved: SavedGame, places: Sequence[int]) -> str:
    names = [p.name for p, place in zip(saved.players, places, strict=True) if place == 1]
    return " and ".join(names)
