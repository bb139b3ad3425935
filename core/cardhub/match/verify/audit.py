"""The self-play audit: whether blocks cancel all luck of the deal and of the seats."""

from dataclasses import replace
from fractions import Fraction

from cardhub.match.blocks import Block, Games, audited
from cardhub.match.groups import groups
from cardhub.match.run.playing import play
from cardhub.match.scoring import points
from cardhub.match.seeds import seeds_of
from cardhub.match.spec import Contest, Match
from cardhub.match.task import GameResult
from cardhub.plugins.registry import PluginRegistry

PROBE = "random"
"""Who plays; its lots depend on the seat alone, so that it plays the same game in all seatings."""
FAIR = Fraction(1, 2)


def self_play_audit(match: Match, registry: PluginRegistry, blocks: int = 1) -> dict[str, str]:
    """Return for each contest what is wrong with its blocks, or nothing.

    Some blocks are played by the same bot in all seats under the names of all. Then every name must
    score exactly 1/2 in each block; otherwise engine, seeds or seatings are at fault.
    """
    if match.has_unknown_secret:
        match = replace(match, salt=None)  # any deals will do
    games = Games(match, registry.directories)
    return {contest.id: _wrong(match, contest, games, blocks) for contest in match.contests}


def _wrong(match: Match, contest: Contest, games: Games, blocks: int) -> str:
    bots = groups(match, contest)[0]
    for deal in range(blocks):
        seeds = seeds_of(match, contest, deal)
        tasks = games.of(Block(contest.id, deal, bots))
        results = [play(audited(task, seeds, PROBE)).result for task in tasks]
        if len({result.cards for result in results}) > 1:
            return f"deal {deal} is not the same in all games of its block"
        for bot, score in _scores(results).items():
            if score != FAIR:
                return f"{bot} scores {score} against itself in block {deal}"
    return ""


def _scores(results: list[GameResult]) -> dict[str, Fraction]:
    """Return the mean points of each name."""
    found: dict[str, list[Fraction]] = {}
    for result in results:
        for bot, gained in zip(result.seats, points(result.places, "rank"), strict=True):
            found.setdefault(bot, []).append(gained)
    return {bot: sum(gained, Fraction(0)) / len(gained) for bot, gained in found.items()}
