"""The result of a game as text, by its goal and teams."""

from collections.abc import Sequence

from cardhub.base.writing import capitalized
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.view.view import ResultColumn


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
    first = _first_seats(scores, scoring)
    winners = joined_names([names[seat] for seat in first])
    if _is_one_team(first, scoring):
        return f"{winners} wins" if len(first) == 1 else f"{winners} win"
    return f"{winners} share the win" if len(first) < len(names) else f"{winners} draw"


def result_headline(
    names: Sequence[str], scores: Sequence[int], scoring: Scoring, title: str
) -> str:
    """Return the result with the game and the lead, such as `Anna wins Hearts by 3 points`.

    `title`: the game's. Without a single winner, or if the score itself is the aim, this is the
    sentence of `result_sentence`.
    """
    first = _first_seats(scores, scoring)
    best = scores[first[0]]
    others = [score for seat, score in enumerate(scores) if seat not in first]
    is_score_aim = scoring.goal in (Goal.COMMON, Goal.SCORE)
    if is_score_aim or not others or not _is_one_team(first, scoring):
        return result_sentence(names, scores, scoring)
    winners = joined_names([names[seat] for seat in first])
    lead = scoring.amount(min(abs(best - score) for score in others))
    if len(first) == 1:
        return f"{winners} wins {title} by {lead}"
    return f"{winners} win {title} by {lead}"


def _first_seats(scores: Sequence[int], scoring: Scoring) -> list[int]:
    return [seat for seat, place in enumerate(scoring.places(scores)) if place == 1]


def _is_one_team(seats: Sequence[int], scoring: Scoring) -> bool:
    return len({scoring.teams[seat] for seat in seats}) == 1


def result_line(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> str:
    """Return the result in words with all scores, such as `Anna wins. Chips: Anna 2, Bob -2`."""
    sentence = result_sentence(names, scores, scoring)
    if scoring.goal is Goal.COMMON or len(set(scoring.teams)) == 1:
        return sentence
    listed = ", ".join(f"{team.name} {team.score}" for team in _columns(names, scores, scoring))
    return f"{sentence}. {capitalized(scoring.unit)}: {listed}"


def result_columns(
    names: Sequence[str], scores: Sequence[int], scoring: Scoring
) -> list[ResultColumn]:
    """Return the teams of a table of results, the best first."""
    # By place alone: teams of equal place keep the order of their seats.
    return sorted(_columns(names, scores, scoring), key=lambda team: team.place)


def _columns(names: Sequence[str], scores: Sequence[int], scoring: Scoring) -> list[ResultColumn]:
    members: dict[int, list[int]] = {}
    for seat, team in enumerate(scoring.teams):
        members.setdefault(team, []).append(seat)
    places = scoring.places(scores)
    return [
        ResultColumn(
            place=places[seats[0]],
            name=joined_names([names[seat] for seat in seats]),
            seats=tuple(seats),
            score=scoring.text(scores[seats[0]]),
        )
        for seats in members.values()
    ]


def _common_result(names: Sequence[str], score: int, scoring: Scoring) -> str:
    if scoring.target is None:
        return scoring.amount(score)
    who = "Everybody" if len(names) > 1 else names[0]
    total = f"{scoring.text(score)} of {scoring.text(scoring.target)} {scoring.unit}"
    return f"{who} wins: {total}" if scoring.is_won(score) else f"{who} loses: {total}"


def joined_names(names: Sequence[str]) -> str:
    """Return names as a list in words: `Anna, Bob and Chris`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
