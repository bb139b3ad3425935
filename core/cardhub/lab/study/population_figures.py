"""Figures of a population: games in which all seats have the same bot."""

from collections.abc import Sequence

from cardhub.lab.match.match_spec import Contest
from cardhub.lab.study.measures.choice_counts import choices
from cardhub.lab.study.measures.distributions import distribution
from cardhub.lab.study.measures.lead_course import leads
from cardhub.lab.study.measures.luck_shares import luck
from cardhub.lab.study.measures.seat_advantage import draws, reached, seat_advantages
from cardhub.lab.study.measures.study_game import StudyGame, Summand, measure
from cardhub.lab.study.study_schema import Population


def population(
    games: Sequence[StudyGame], bots: Sequence[str], contest: Contest, level: float
) -> Population:
    """Return the figures of games of one bot or several; raises ValueError without games."""
    has_rivals = not contest.is_common
    return Population(
        bots=tuple(bots),
        deals=len({game.deal for game in games}),
        games=len(games),
        seats=seat_advantages(games, level) if has_rivals else (),
        score=None if has_rivals else measure([Summand(g.deal, g.scores[0]) for g in games], level),
        reached=reached(games, contest, level),
        draws=draws(games, level) if has_rivals else None,
        length=distribution(
            [game.deal for game in games], [float(len(g.trace.choices)) for g in games], level
        ),
        choices=choices(games, level),
        leads=leads(games, level) if has_rivals else None,
        luck=luck(games, level),
    )
