"""Adjudication: games of a match that end once no place can change any more."""

from itertools import pairwise
from typing import Any

from cardhub.lab.match.task import GameTask
from cardhub.play.referee import Referee, score_swing


def is_decided(task: GameTask, referee: Referee[Any]) -> bool:
    """Return whether a game of a match ends here, because its places are certain."""
    if not task.adjudicates or referee.is_over:
        return False
    swing = score_swing(referee)
    if swing is None:
        return False
    # The members of a team have one score.
    by_team = dict(zip(referee.scoring.teams, referee.scores(), strict=True))
    leads = [high - low for low, high in pairwise(sorted(by_team.values()))]
    return swing == 0 or all(lead > swing for lead in leads)
