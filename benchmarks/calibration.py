"""Calibration of reviews in Leduc poker, where the true losses are known.

All decisions of both seats count with their exact probabilities, so there is no noise of games. The
policies of bots that do not return them are shares of many answers.

    python benchmarks/calibration.py --out benchmarks/results/calibration.md
"""

import argparse
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cardhub.bots.solving.sequence_form import Floats, SequenceForm, exploit, sequence_form
from cardhub.lab.analysis.bot_policies import BotPolicy
from cardhub.lab.analysis.review.exact_rating import SolvedTable
from cardhub.model.game.initial_state import resolve_options
from cardhub.plugins.registry import find_plugins
from results_page import ResultsPage

GAME, SEATS = "leduc", 2
BOTS = ("cfr:300", "rule", "random")
# Answers in each position of a bot that does not return probabilities.
ANSWERS = 400


class Calibration(NamedTuple):
    """Means of a bot's decisions against a rival, in chips.

    `loss` is the loss by a review. `gain` is the gain of a best response, by the review's values;
    `true_gain` is the same by the solver's best response.
    """

    loss: float
    gain: float
    true_gain: float


class LeducTable(NamedTuple):
    """The game as a review rates it, as a solver knows it, and the policies of bots."""

    table: SolvedTable
    form: SequenceForm
    policies: dict[str, BotPolicy]

    def strategies(self, bot: str) -> list[Floats]:
        """Return the strategy of a bot for each seat."""
        strategies = []
        for plex in self.form.treeplexes:
            strategy = plex.uniform()
            for number, seen in enumerate(plex.observations):
                chances = self.policies[bot](seen)
                strategy[plex.first[number] : plex.first[number + 1]] = [
                    chances[action] for action in plex.actions[number]
                ]
            strategies.append(strategy)
        return strategies

    def compare(self, bot: str, rival: str) -> Calibration:
        """Return the means of a bot's decisions, half of them in each seat."""
        own, other = self.strategies(bot), self.strategies(rival)
        opponents = self.table.against(self.policies[rival])
        decisions = loss = gain = true_gain = 0.0
        for seat, plex in enumerate(self.form.treeplexes):
            realization = plex.realization(own[seat])
            for number, seen in enumerate(plex.observations):
                reach = opponents.belief(seen).reach
                first = plex.first[number]
                for index, action in enumerate(plex.actions[number]):
                    if chance := reach * realization[first + index]:
                        rating = self.table.rate(seen, action, [opponents])
                        decisions += chance
                        loss += chance * rating.loss
                        gain += chance * rating.gains[0]
            profile = [other[0], other[1]]
            profile[seat] = own[seat]
            result = exploit(self.form, profile)
            true_gain += result.responses[seat] - result.values[seat]
        return Calibration(loss / decisions, gain / decisions, true_gain / decisions)


def main() -> None:
    """Print the losses of bots in matches of two."""
    leduc = read_leduc()
    page = ResultsPage("Calibration of reviews")
    page.add_text(
        "Chips a decision in Leduc poker, by `benchmarks/calibration.py`. The loss is that of an "
        "exact review. What best play would gain is computed twice: by the review, decision by "
        "decision, and by the solver's best response to the whole rival.",
    )
    page.add_head("bot", "rival", "loss", "best play gains", "the same by the solver")
    for bot in BOTS:
        for rival in BOTS:
            if bot != rival:
                row = leduc.compare(bot, rival)
                page.add_row(bot, rival, *(f"{value:.4f}" for value in row))
    if out := read_arguments().out:
        page.write(out)


def read_leduc() -> LeducTable:
    """Return Leduc poker with the policies of all bots."""
    registry = find_plugins()
    game = registry.game(GAME)
    settings = resolve_options(game, {}, SEATS)
    form = sequence_form(game, SEATS, settings)
    policies = {
        bot: BotPolicy(partial(registry.make_bot, bot, GAME), ANSWERS, bot, form.nodes)
        for bot in BOTS
    }
    return LeducTable(SolvedTable(game, SEATS, settings), form, policies)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the page")
    return parser.parse_args()


if __name__ == "__main__":
    main()
