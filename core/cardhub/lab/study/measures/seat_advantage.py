"""Advantages of seats, and draws, between equal players."""

from collections.abc import Sequence

from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import seats_of_teams
from cardhub.lab.stats import holm_rejects
from cardhub.lab.study.measures.study_game import (
    StudyGame,
    Summand,
    as_estimate,
    known,
    measure,
)
from cardhub.lab.study.study_schema import Measure, SeatAdvantage


def seat_advantages(games: Sequence[StudyGame], level: float) -> tuple[SeatAdvantage, ...]:
    """Return the advantage of each seat, or of each team by its seats.

    Several bots count by their games. `is_certain` allows for all seats by Holm's correction.
    """
    firsts = seats_of_teams(games[0].result)
    teams = games[0].result.teams or tuple(range(len(games[0].scores)))
    rows = []
    for first in firsts:
        edges = [Summand(game.deal, game.scores[first] - _mean(game, firsts)) for game in games]
        score = known([Summand(game.deal, game.scores[first]) for game in games], level)
        seats = tuple(seat for seat, team in enumerate(teams) if team == teams[first])
        rows.append((seats, score, known(edges, level)))
    # With two teams both advantages are one figure, and one test.
    tested = rows[:1] if len(rows) == 2 else rows
    p_values = [as_estimate(edge).p_value() for _, _, edge in tested]
    rejected = holm_rejects([1.0 if p is None else p for p in p_values], level)
    if len(rows) == 2:
        p_values, rejected = p_values * 2, rejected * 2
    return tuple(
        SeatAdvantage(*row, p_value, is_certain)
        for row, p_value, is_certain in zip(rows, p_values, rejected, strict=True)
    )


def draws(games: Sequence[StudyGame], level: float) -> Measure | None:
    """Return the share of games in which several seats or teams share the first place."""
    shared = [Summand(game.deal, float(len(winners(game)) > 1)) for game in games]
    return measure(shared, level)


def winners(game: StudyGame) -> list[int]:
    """Return the first seats of the teams in the first place."""
    places = game.result.places
    return [seat for seat in seats_of_teams(game.result) if places[seat] == 1]


def reached(games: Sequence[StudyGame], contest: Contest, level: float) -> Measure | None:
    """Return the share of tables that reached the target of a common cause, if it has one."""
    if contest.target is None:
        return None
    is_low, target = contest.lowest_wins, contest.target
    won = [
        score <= target if is_low else score >= target
        for score in (game.result.scores[0] for game in games)
    ]
    return measure([Summand(g.deal, float(w)) for g, w in zip(games, won, strict=True)], level)


def _mean(game: StudyGame, firsts: Sequence[int]) -> float:
    return sum(game.scores[seat] for seat in firsts) / len(firsts)
