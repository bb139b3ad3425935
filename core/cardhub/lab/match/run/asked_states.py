"""Language models that are asked for their policies in all states of small games.

A match with `variance: aivat` does so before its first game. So no state is asked for twice, a
model plays the same policy in all games, and the values behind the terms against luck are exact. A
policy that is known before the first game cannot follow the luck of a game that it is used for.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from cardhub.base.errors import BotProviderError, MatchError
from cardhub.bots import LLM, Bot, MixedBot, parse_spec
from cardhub.bots.asking import policy_of
from cardhub.bots.language.exchanges import Answers, KeepsAnswers
from cardhub.lab.match.log.log_reader import ANSWERS
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.run.playing import NO_PROVIDER
from cardhub.lab.match.variance.value_functions import small_tree
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.play.setup import close
from cardhub.plugins.registry import PluginRegistry

# A limit of the match is checked after this number of states, because a check reads the answers.
CHECKED = 50
LIMIT_REACHED = (
    "the limit of the match was reached before its first game, while {bot} was asked for its "
    "policy in {states} of its states. fix: give a higher limit, and the same command goes on; or "
    "write `variance: none`"
)


def asked_states(
    match: Match, contest: Contest, registry: PluginRegistry, bot: Bot
) -> Iterator[Observation[Any]]:
    """Yield the states of a contest in which a bot is asked before the first game, if any.

    It is a language model with probabilities, and the game is small.
    """
    is_rated = isinstance(bot, KeepsAnswers) and isinstance(bot, MixedBot)
    if not (is_rated and match.corrects(contest) and match.variance.policies == "known"):
        return
    game = registry.game(contest.game)
    for vary in contest.variations():
        options = resolve_options(game, {**contest.rules, **vary}, contest.players)
        tree = small_tree(game, contest.players, tuple(sorted(options.items())))
        yield from tree.observations() if tree else ()


def ask_states(
    match: Match, registry: PluginRegistry, folder: Path, is_enough: Callable[[], bool]
) -> None:
    """Ask the models of a match in these states, as far as its folder lacks the answers.

    `is_enough`: whether a limit of the match is reached. Raises MatchError.
    """
    answers = Answers(folder.absolute() / ANSWERS)
    for contest in match.contests:
        for name in match.players_of(contest.id):
            use = match.entrant(name).use
            if parse_spec(use).name == LLM.name:
                bot = registry.make_bot(use, contest.game, Random(0))
                states = asked_states(match, contest, registry, bot)
                try:
                    _ask(bot, name, states, answers, is_enough)
                finally:
                    close(bot)


def _ask(
    bot: Bot,
    name: str,
    states: Iterator[Observation[Any]],
    answers: Answers,
    is_enough: Callable[[], bool],
) -> None:
    if not (isinstance(bot, KeepsAnswers) and isinstance(bot, MixedBot)):
        return
    bot.keep_answers(answers.of_states(name))
    for number, observation in enumerate(states, 1):
        try:
            policy_of(bot, observation)
        except BotProviderError as error:
            raise MatchError(NO_PROVIDER.format(bot=name, cause=error)) from error
        if number % CHECKED == 0 and is_enough():
            raise MatchError(LIMIT_REACHED.format(bot=name, states=number))
