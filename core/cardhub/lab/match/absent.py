"""Matches without the bots that cannot play here: the others play, and the report says why."""

from collections.abc import Mapping
from dataclasses import replace

from cardhub.lab.match.blocks import pairs, rivals
from cardhub.lab.match.match_spec import Contest, Match

# The fewest bots of a game that are compared.
FEWEST = 2


def without_bots(match: Match, reasons: Mapping[str, str]) -> Match | None:
    """Return a match without some bots, given why each is absent; None if it needs one of them.

    It needs the bots of its test and those that fill seats, a challenger, and in each game two bots
    that meet.
    """
    absent = {**match.absent, **reasons}
    challengers = tuple(bot for bot in match.order.challengers if bot not in absent)
    fillers = {bot for contest in match.contests for bot in contest.fillers}
    tested = {match.sprt.a, match.sprt.b} if match.sprt else set()
    is_open = bool(challengers) or not match.order.challengers
    if not is_open or absent.keys() & (fillers | tested):
        return None
    anchor = {bot: elo for bot, elo in match.rating.anchor.items() if bot not in absent}
    smaller = replace(
        match,
        entrants=tuple(entrant for entrant in match.entrants if entrant.id not in absent),
        order=replace(match.order, challengers=challengers),
        rating=replace(match.rating, anchor=anchor),
        absent=absent,
    )
    filled = replace(smaller, contests=tuple(filled_up(smaller, c) for c in match.contests))
    return filled if all(_is_playable(filled, contest) for contest in filled.contests) else None


def filled_up(match: Match, contest: Contest) -> Contest:
    """Return a contest whose seats two bots share if there are too few bots, or in a race."""
    is_short = len(rivals(match, contest)) < contest.parties
    if (
        (is_short or match.order.mode == "racing")
        and contest.fill == "none"
        and contest.parties > 2
    ):
        return replace(contest, fill="mirror")
    return contest


def _is_playable(match: Match, contest: Contest) -> bool:
    return len(rivals(match, contest)) >= FEWEST and bool(pairs(match, contest))
