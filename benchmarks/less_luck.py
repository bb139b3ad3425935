"""What the terms against luck save (`variance: aivat`), and whether their intervals hold.

Two bots play blocks of a game without a match folder. The table has how many times as many blocks
and games as played would be as precise. With `--matches` the same blocks are cut into many matches:
the share of their 95 % intervals that have the true mean is printed, too. It needs a small game and
bots with known policies.
"""

import argparse
from collections.abc import Sequence
from statistics import fmean, variance
from time import process_time
from typing import NamedTuple

import numpy as np

from cardhub.lab.match.blocks import Block, Games, groups
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.seat_scores import PairScore
from cardhub.lab.match.variance.adjusted_scores import AdjustedScores, BlockTerms, block_terms
from cardhub.lab.stats import mean_points
from cardhub.plugins.registry import find_plugins, for_referee
from speed import surroundings


class Scored(NamedTuple):
    """A block: its score, the scores of its games, and its terms."""

    score: float
    games: list[float]
    terms: BlockTerms


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bots", nargs=2)
    parser.add_argument("--blocks", type=int, default=400)
    parser.add_argument("--policies", choices=["known", "none"], default="known")
    parser.add_argument("--matches", type=int, default=0)
    given = parser.parse_args()
    print(
        surroundings(), f"{given.game}, {given.blocks} blocks, policies: {given.policies}", sep="\n"
    )
    begun = process_time()
    blocks = played(given.game, given.bots, given.blocks, given.policies)
    print(f"{process_time() - begun:.0f} s", saved(blocks), sep="\n")
    if given.matches:
        truth = less_luck(played(given.game, given.bots, 2, "known"))[0]
        print(f"{coverage(blocks, given.matches, truth):.1%} of {given.matches} intervals hold")


def played(game: str, bots: Sequence[str], blocks: int, policies: str) -> list[Scored]:
    """Return the first blocks of a match."""
    registry = for_referee(find_plugins())
    terms = {"method": "aivat", "policies": policies}
    content = {"games": [game], "bots": [*bots], "blocks": blocks, "variance": terms}
    match = parse_match(content | {"salt": "none", "isolate": "no"}, registry)
    games, contest = Games(match, registry.directories), match.contests[0]
    return [
        scored(match, games, Block(contest.id, deal, groups(match, contest)[0]))
        for deal in range(blocks)
    ]


def scored(match: Match, games: Games, block: Block) -> Scored:
    """Play a block."""
    contest, pair = match.contests[0], (match.entrants[0].id, match.entrants[1].id)
    results = [play(task, is_proved=False).result for task in games.of(block)]
    total, singles = PairScore(*pair, contest), []
    for result in results:
        single = PairScore(*pair, contest)
        for score in (total, single):
            score.add(result)
        singles.append(single.value)
    values = [value for value in singles if value is not None]
    return Scored(total.value or 0.0, values, block_terms(results, contest, pair))


def less_luck(blocks: Sequence[Scored]) -> list[float]:
    """Return the scores of blocks with their terms."""
    pair = AdjustedScores()
    return [pair.add(deal, block.score, block.terms) for deal, block in enumerate(blocks)]


def saved(blocks: Sequence[Scored]) -> str:
    """Return a line with the means, and how many times as many blocks and games are as precise."""
    plain, less = [block.score for block in blocks], less_luck(blocks)
    games = [score for block in blocks for score in block.games]
    per_block = len(games) / len(blocks)
    after = max(variance(less), 1e-12)
    return (
        f"as played {fmean(plain):.3f}, with less luck {fmean(less):.3f}; as good as "
        f"{variance(plain) / after:.3g} times the blocks, "
        f"{variance(games) / per_block / after:.3g} times the games"
    )


def coverage(blocks: Sequence[Scored], matches: int, truth: float) -> float:
    """Return the share of matches whose interval has the true mean."""
    size = len(blocks) // matches
    held = 0
    for number in range(matches):
        scores = less_luck(blocks[number * size : (number + 1) * size])
        interval = mean_points(np.asarray(scores))
        if interval is not None and interval.low is not None and interval.high is not None:
            held += interval.low <= truth <= interval.high
    return held / matches


if __name__ == "__main__":
    main()
