"""Which bots meet in the blocks of a contest."""

from itertools import combinations

from cardhub.match.spec import Contest, Match


def rivals(match: Match, contest: Contest) -> list[str]:
    """Return the bots of a contest that meet one another: all but the fillers."""
    return [bot for bot in match.players_of(contest.id) if bot not in contest.fillers]


def groups(match: Match, contest: Contest) -> list[tuple[str, ...]]:
    """Return the groups of bots that meet in blocks, in the order of the file.

    That are pairs if something fills the other seats, and in a race; in a gauntlet each has a
    challenger and somebody to challenge.
    """
    size = 2 if contest.fill != "none" else contest.players
    found = list(combinations(rivals(match, contest), size))
    if match.order.mode != "gauntlet":
        return found
    challengers = set(match.order.challengers)
    return [group for group in found if 0 < len(challengers.intersection(group)) < size]
