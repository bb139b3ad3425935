"""The probabilities with which a bot acts: its own, or shares of its answers."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum
from random import Random
from typing import Any

from cardhub.base.errors import BotError, OptionError, PluginError, SolvingError
from cardhub.bots.asking import call_bot, choose, policy_of
from cardhub.bots.bot import Bot, MixedBot, SamplingBot
from cardhub.lab.match.match_spec import Match
from cardhub.model.hidden.observation import Observation
from cardhub.play.setup import MakeBot, close
from cardhub.plugins.registry import PluginRegistry


def policy_at(
    make: MakeBot, observation: Observation[Any], seeds: Sequence[str]
) -> list[list[float]]:
    """Return for each seed the probabilities of the sorted legal actions, by a new bot's answer.

    A MixedBot returns all its probabilities, so only the first seed is used. A SamplingBot gives
    several answers for a seed, until there are enough.
    """
    legal = sorted(observation.legal())
    policies = []
    for seed in seeds:
        bot = make(Random(seed))
        try:
            if isinstance(bot, MixedBot):
                return [[*policy_of(bot, observation).values()]]
            answers = _answers(bot, observation)
            policies += [[float(action == answer) for action in legal] for answer in answers]
            if len(policies) >= len(seeds):
                break
        finally:
            close(bot)
    return policies


def _answers(bot: Bot, observation: Observation[Any]) -> Sequence[int]:
    if isinstance(bot, SamplingBot):
        return call_bot(bot.sample, observation)
    return [choose(bot, observation)]


def is_mixed(make: MakeBot) -> bool:
    """Return whether a bot returns its probabilities."""
    bot = make(Random(0))
    try:
        return isinstance(bot, MixedBot)
    finally:
        close(bot)


def can_ask(registry: PluginRegistry, match: Match, bot: str, game: str) -> bool:
    """Return whether a review may ask a bot of a match for its actions in other positions.

    A bot that the match runs in a sandbox is not run outside of it.
    """
    use = match.entrant(bot).use
    try:
        parts = list(registry.parts(use, game))
        if match.sandbox and not all(part.is_shipped for part in parts):
            return False
        return is_quick(registry, use, game)
    except (PluginError, OptionError, BotError):  # the bot is not installed here, or cannot be made
        return False


def is_quick(registry: PluginRegistry, use: str, game: str) -> bool:
    """Return whether a bot can be asked in thousands of positions.

    Raises PluginError, or BotError if the bot cannot be made.

    Programs, searches and bots that look at the clock would take too long, unless they return their
    probabilities.
    """
    parts = list(registry.parts(use, game))
    if registry.is_program(use, game) or any(part.looks_at_clock for part in parts):
        return False
    has_policy = is_mixed(partial(registry.make_bot, use, game))
    return has_policy or not any(part.entry.needs_determinizations for part in parts)


class BotPolicy:
    """The policy of a bot, asked as if its game began at the decision; equal questions once.

    A MixedBot gives its probabilities. Any other bot gives `answers` answers with different seeds;
    their shares are smoothed by one answer that is spread over all legal actions. More than
    `most_asked` decisions of such a bot raise SolvingError.
    """

    def __init__(self, make: MakeBot, answers: int, seed: str, most_asked: int) -> None:
        self._make = make
        self._answers = answers
        self._seed = seed
        self._most_asked = most_asked
        self._policies: dict[str, Mapping[int, float]] = {}
        self.is_exact = True

    def __call__(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return the probability of each legal action; raises BotFaultError."""
        legal = sorted(observation.legal())
        if len(legal) == 1:
            return {legal[0]: 1.0}
        text = observation.information_text()
        policy = self._policies.get(text)
        if policy is None:
            policy = self._policies[text] = self._ask(observation, legal, text)
        return policy

    def _ask(
        self, observation: Observation[Any], legal: Sequence[int], text: str
    ) -> Mapping[int, float]:
        if not self.is_exact and len(self._policies) >= self._most_asked:
            raise SolvingError(f"more than {self._most_asked:,} decisions of a bot would be asked")
        seeds = [f"{self._seed} {text} {number}" for number in range(self._answers)]
        # One call for all answers, because to watch for signals takes longer than a short answer.
        answers = call_bot(policy_at, self._make, observation, seeds)
        if len(answers) == 1:
            return dict(zip(legal, answers[0], strict=True))
        self.is_exact = False
        columns = zip(legal, zip(*answers, strict=True), strict=True)
        smooth = 1 / len(legal)
        return {action: (fsum(column) + smooth) / (len(answers) + 1) for action, column in columns}


def policies_of(make: MakeBot, answers: int, seed: str, most_asked: int) -> list[BotPolicy]:
    """Return the exact policy of a bot, or two independent estimates from `answers` answers."""
    count = 1 if is_mixed(make) else 2
    return [BotPolicy(make, answers, f"{seed} {number}", most_asked) for number in range(count)]
