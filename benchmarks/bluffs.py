"""Bluffing frequency of search bots in Gamon, against opponents that always or never challenge.

The opponents otherwise play by the rule-based bot. Every deal is played from both seats. The table
has the win rate, the share of the search bot's calls that are bluffs, and its challenge rate.
"""

import argparse
from dataclasses import dataclass
from random import Random
from typing import Any

from cardhub import Bot, Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gamon.table import BASE, BELIEVE, CALL, GAMON

REGISTRY = find_plugins()
GAME = REGISTRY.game("gamon")


class Stubborn:
    """A bot with a constant answer to every call; otherwise it plays as the rule-based bot."""

    def __init__(self, answer: int, rng: Random) -> None:
        self._answer = answer
        self._rule = REGISTRY.make_bot("rule", "gamon", rng)

    def choose(self, observation: Observation[Any]) -> int:
        """See Bot."""
        legal = observation.legal()
        return self._answer if self._answer in legal else self._rule.choose(observation)


@dataclass
class Tally:
    """Counts of a search bot's games, calls and challenges."""

    games: int = 0
    wins: float = 0
    calls: int = 0
    lies: int = 0
    doubts: int = 0
    cries: int = 0

    def note(self, observation: Observation[Any], action: int) -> None:
        """Count a call or a challenge."""
        if CALL <= action < GAMON:
            state = observation.state
            base = BASE[state.face[state.placed[observation.seat][0]]]
            self.calls += 1
            self.lies += base != action - CALL + 1
        elif action in (GAMON, BELIEVE):
            self.doubts += 1
            self.cries += action == GAMON

    def __str__(self) -> str:
        shares = (self.wins / self.games, self.lies / self.calls, self.cries / self.doubts)
        won, lies, cries = (f"{100 * share:.0f} %" for share in shares)
        return f"{self.games} games, {won} won; {lies} of its calls are lies, it cries {cries}"


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", default="ismcts:300")
    parser.add_argument("--deals", type=int, default=10)
    arguments = parser.parse_args()
    for name, answer in (("always", GAMON), ("never", BELIEVE)):
        print(f"{arguments.bot} against who {name} cries Gamon:", end=" ", flush=True)
        print(tally(arguments.bot, answer, arguments.deals), flush=True)


def tally(spec: str, answer: int, deals: int) -> Tally:
    """Play every deal from both seats."""
    counts = Tally()
    for deal in range(deals):
        for seat in range(2):
            bot = REGISTRY.make_bot(spec, "gamon", Random(f"{deal} {seat}"))
            play(bot, Stubborn(answer, Random(deal)), seat, deal, counts)
    return counts


def play(bot: Bot, other: Bot, seat: int, deal: int, counts: Tally) -> None:
    """Play one game and count the actions of the bot's seat."""
    referee = set_up(GAME, [Player("Navy", "bot"), Player("Pirate", "bot")], {}, deal)
    referee.proceed()
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        is_bots = referee.seat == seat
        action = (bot if is_bots else other).choose(observation)
        if is_bots:
            counts.note(observation, action)
        referee.apply(action)
    places = referee.places()
    counts.games += 1
    counts.wins += (places[seat] == 1) / places.count(1)


if __name__ == "__main__":
    main()
