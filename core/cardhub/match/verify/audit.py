"""Self-play audit: blocks must cancel all luck of the deal and of the seats."""

from dataclasses import replace
from fractions import Fraction

from cardhub.match.block_seeds import seeds_of
from cardhub.match.blocks import Block, Games, audited, groups
from cardhub.match.match_spec import Contest, Match
from cardhub.match.run.playing import play
from cardhub.match.seat_scores import seat_scores
from cardhub.match.task import GameResult
from cardhub.plugins.registry import PluginRegistry

# Bot of the audit; its seed depends on the seat only, so all seatings play the same game.
PROBE = "random"
FAIR = Fraction(1, 2)


def self_play_audit(match: Match, registry: PluginRegistry, blocks: int = 1) -> dict[str, str]:
    """Return a message for each contest, empty if its blocks pass the audit.

    The same bot plays some blocks in all seats under the names of the entrants. Each name must
    score exactly 1/2 in each block.
    """
    if match.has_unknown_secret:
        match = replace(match, salt=None)  # any deal serves the audit
    games = Games(match, registry.directories)
    return {contest.id: _wrong(match, contest, games, blocks) for contest in match.contests}


def _wrong(match: Match, contest: Contest, games: Games, blocks: int) -> str:
    bots = groups(match, contest)[0]
    for deal in range(blocks):
        # Bots are seeded by seat: all seatings play one and the same game under permuted names, and
        # any score but 1/2 is due to the engine, the seeds or the seatings.
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
    found: dict[str, list[Fraction]] = {}
    for result in results:
        for bot, gained in zip(result.seats, seat_scores(result.places, "rank"), strict=True):
            found.setdefault(bot, []).append(gained)
    return {bot: sum(gained, Fraction(0)) / len(gained) for bot, gained in found.items()}
