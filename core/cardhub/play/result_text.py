"""The result of a game as text, by its goal and teams."""

from collections.abc import Sequence
from typing import NamedTuple

from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring


class ResultRow(NamedTuple):
    """A row of a table of results: the place and the score of a team, and its players."""

    place: int
    names: str
    score: str


def result_sentence(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> str:
    """Return the result in words.

    `Anna wins`, `North and South win`, `Anna and Bob share the win`, or `draw` if all places are
    equal; with COMMON `Everybody wins: 98 of 98 points`, or without a target `12 points`. A
    single team has a score and no opponents: `Anna: 12 points`.
    """
    if scoring.goal is Goal.COMMON:
        return _common_result(names, scores[0], scoring)
    if len(set(scoring.teams)) == 1:
        return f"{joined_names(names)}: {scoring.amount(scores[0])}"
    places = scoring.places(scores)
    first = [seat for seat, place in enumerate(places) if place == 1]
    winners = joined_names([names[seat] for seat in first])
    if len({scoring.teams[seat] for seat in first}) == 1:
        return f"{winners} {'wins' if len(first) == 1 else 'win'}"
    return f"{winners} {'share the win' if max(places) > 1 else 'draw'}"


def result_line(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> str:
    """Return the result in words with all scores, such as `Anna wins: Anna 2, Bob -2 chips`."""
    sentence = result_sentence(names, scores, scoring)
    if scoring.goal is Goal.COMMON or len(set(scoring.teams)) == 1:
        return sentence
    listed = ", ".join(f"{row.names} {row.score}" for row in _rows(names, scores, scoring))
    return f"{sentence}: {listed} {scoring.unit}"


def result_rows(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> list[ResultRow]:
    """Return the rows of a table of results, one per team, the best first."""
    # By place alone: teams of equal place keep the order of their seats.
    return sorted(_rows(names, scores, scoring), key=lambda row: row.place)


def _rows(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> list[ResultRow]:
    members: dict[int, list[int]] = {}
    for seat, team in enumerate(scoring.teams):
        members.setdefault(team, []).append(seat)
    places = scoring.places(scores)
    return [
        ResultRow(
            places[seats[0]],
            joined_names([names[seat] for seat in seats]),
            scoring.text(scores[seats[0]]),
        )
        for seats in members.values()
    ]


def _common_result(names: Sequence[str], score: int, scoring: Scoring) -> str:
    if scoring.target is None:
        return scoring.amount(score)
    who = "Everybody" if len(names) > 1 else names[0]
    verb = "wins" if scoring.is_won(score) else "loses"
    return f"{who} {verb}: {scoring.text(score)} of {scoring.text(scoring.target)} {scoring.unit}"


def joined_names(names: Sequence[str]) -> str:
    """Return names as a list in words: `Anna, Bob and Chris`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
