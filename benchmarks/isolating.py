"""The CPU overhead of isolating the bots of a match in separate processes.

The same games are played with both bots in this process and with each bot in its own process, which
plays one game after another or, with `fresh`, forgets each game. Games that are cut off after two
actions measure the fixed cost per game.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.playing import end_programs, play
from cardhub.lab.match.task import NO_ISOLATION, GameTask
from cardhub.plugins.registry import find_plugins

MATCH = """
cardhub_match: 1
name: isolating
seed: 7
bots:
  - {{id: a, use: {bot}}}
  - {{id: b, use: {bot}}}
games:
  - {{game: {game}}}
"""
CONTESTS = (("kuhn", "random"), ("gamon", "rule"), ("garner", "rule"))
CUT = 2
FEW = 2


class Cost(NamedTuple):
    """The CPU seconds and the number of decisions of several games."""

    seconds: float
    decisions: int


def games_of(game: str, bot: str, blocks: int) -> list[GameTask]:
    """Return the games of a number of blocks of two equal bots."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "isolating.yaml"
        path.write_text(MATCH.format(game=game, bot=bot), "utf-8")
        match = read_match(path, find_plugins())
    games = Games(match)
    blocks_of = (Block(match.contests[0].id, deal, ("a", "b")) for deal in range(blocks))
    return [task for block in blocks_of for task in games.of(block)]


def cost(tasks: Sequence[GameTask]) -> Cost:
    """Play games; the time to start and stop processes is excluded."""
    few, _ = _spent(tasks[:FEW])
    seconds, decisions = _spent(tasks)
    share = 1 - FEW / len(tasks)
    return Cost((seconds - few) / share, decisions)


def _spent(tasks: Sequence[GameTask]) -> tuple[float, int]:
    begun = sum(os.times()[:4])
    decisions = sum(play(task).result.steps for task in tasks)
    end_programs()
    return sum(os.times()[:4]) - begun, decisions


def rows(blocks: int) -> Iterator[str]:
    """Yield table rows: in-process, isolated, and the overhead per game and decision."""
    heads = ("game", "bots", "fresh", "decisions a game", "one process, ms", "isolated, ms")
    yield f"| {' | '.join(heads)} | more a game, ms | more a decision, ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for game, bot in CONTESTS:
        tasks = games_of(game, bot, blocks)
        limits = tasks[0].limits  # of all games
        limits = replace(limits, budget=replace(limits.budget, most_steps=CUT))
        cut = [replace(task, limits=limits) for task in tasks]
        here, here_cut = cost(tasks), cost(cut)
        for is_fresh in (False, True):
            there, there_cut = cost(isolated(tasks, is_fresh)), cost(isolated(cut, is_fresh))
            count = len(tasks)
            base = (there_cut.seconds - here_cut.seconds) / count
            left = max(here.decisions - here_cut.decisions, 1)
            seconds_per_action = (there.seconds - here.seconds - base * count) / left
            yield (
                f"| {game} | `{bot}` | {'yes' if is_fresh else 'no'} "
                f"| {here.decisions / count:.0f} | {1e3 * here.seconds / count:.1f} "
                f"| {1e3 * there.seconds / count:.1f} | {1e3 * base:.1f} "
                f"| {1e3 * seconds_per_action:.2f} |"
            )


def isolated(tasks: Sequence[GameTask], is_fresh: bool) -> list[GameTask]:
    """Return the same games with each bot in a process of its own."""
    isolation = replace(NO_ISOLATION, is_fresh=is_fresh)
    return [replace(task, isolation=isolation).isolated() for task in tasks]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=10, help="how many deals of each game")
    for row in rows(parser.parse_args().blocks):
        print(row)


if __name__ == "__main__":
    main()
