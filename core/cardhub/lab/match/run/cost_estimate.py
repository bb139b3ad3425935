"""What the language models of a match will read and write, counted before its first game.

Quick bots play some blocks, with other deals than the match, and their prompts are counted. One
decision of each model, which is stored with the answers of the match, shows how its server counts
tokens.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, stdev
from typing import Any, NamedTuple, cast

from cardhub.base.errors import BotFaultError, BotProviderError, MatchError
from cardhub.bots import LLM, RANDOM, parse_spec
from cardhub.bots.language.answers import read_notes
from cardhub.bots.language.exchanges import (
    SUFFIX,
    Answers,
    Exchanges,
    KeepsAnswers,
    parse_exchanges,
)
from cardhub.bots.language.prompt import Choices, Memory, Prompt, build_prompt
from cardhub.bots.language.spending import SpendingMeter, Usage
from cardhub.lab.match.blocks import Block, Games, count_blocks, groups, seatings, statistics_seed
from cardhub.lab.match.log.log_reader import ANSWERS, GAMES, has_header, read_games
from cardhub.lab.match.match_spec import Contest, Entrant, Match
from cardhub.lab.match.run.asked_states import asked_states
from cardhub.lab.match.run.playing import game_result
from cardhub.lab.match.seat_scores import PairScore
from cardhub.lab.match.task import GameResult, GameTask
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import close, let_bot_act, seated, set_up
from cardhub.plugins.registry import RULE, PluginRegistry

# Blocks of a game are played until this number of prompts is counted; the least and most blocks.
MOST_PROMPTS, FEWEST, MOST = 400, 12, 200
# The fewest blocks that say how much scores vary.
FEWEST_BLOCKS = 8
# The characters of a token, if a server does not count tokens.
CHARACTERS = 4.0
PURPOSE = "estimate"


class Reads(NamedTuple):
    """The requests of a model, their characters, and those that an earlier request began with."""

    requests: float = 0
    characters: float = 0
    repeated: float = 0

    def plus(self, other: "Reads", times: float = 1) -> "Reads":
        """Return the sum with other requests, which count several times."""
        return Reads(*(mine + times * more for mine, more in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What the models of a match still use in its remaining `games`, by bot.

    `tokens_cached` is the most that a server can take from its cache. `uncounted`: the bots whose
    servers do not count tokens. `sampled`: the number of games that were played for the estimate.
    `widths`: half the width of the interval of a pair's score after the match, for each contest
    without `asked`: contests and bots that are asked in all states before the first game.
    """

    games: int
    sampled: int
    by_bot: Mapping[str, Usage]
    uncounted: frozenset[str]
    widths: Sequence[tuple[Contest, float]]
    asked: Sequence[tuple[Contest, str]]


def estimate_cost(match: Match, registry: PluginRegistry, folder: Path) -> CostEstimate | None:
    """Return what the rest of a match uses; None for a match without language models.

    Each model is asked for one decision of each game, once in the folder of a match. Raises
    MatchError.
    """
    models = [bot.id for bot in match.entrants if parse_spec(bot.use).name == LLM.name]
    if not models:
        return None
    # Answers are stored only in a folder that exists.
    folder.mkdir(parents=True, exist_ok=True)
    answers, (games, all_seats) = Answers(folder.absolute() / ANSWERS), _games_left(match, folder)
    by_bot, uncounted, sampled = dict.fromkeys(models, Usage()), set(), 0
    widths, asked, has_begun = [], [], (folder / GAMES).exists() and has_header(folder)
    for number, contest in enumerate(match.contests):
        sampler, known = _Sampler(match, contest, registry, models), []
        for bot in models:
            if seats := all_seats[contest.id, bot]:
                rates = _rates(match.entrant(bot), sampler, registry, answers, number)
                uncounted |= set() if rates.is_counted else {bot}
                reads = Reads().plus(sampler.reads_of(bot), seats)
                if in_states := _state_reads(match, contest, registry, sampler, bot):
                    # These answers serve all games.
                    reads = Reads() if has_begun else in_states
                    known.append((contest, bot))
                by_bot[bot] = by_bot[bot].plus(rates.usage(reads))
        sampled += sampler.games
        asked += known
        if not known and (width := sampler.half_width()):
            widths.append((contest, width))
    return CostEstimate(games, sampled, by_bot, frozenset(uncounted), widths, asked)


def _games_left(match: Match, folder: Path) -> tuple[int, Counter[tuple[str, str]]]:
    """Return the number of games that are not played, and the seats in them by contest and bot."""
    games, seats = 0, Counter[tuple[str, str]]()
    for contest in match.contests:
        meetings = groups(match, contest)
        variations = len([*contest.variations()])
        rows = [row for group in meetings for row in seatings(contest, group)] * variations
        deals = _deals(match, contest, len(meetings))
        games += round(deals * len(rows))
        for bot, number in Counter(bot for row in rows for bot in row).items():
            seats[contest.id, bot] = round(deals * number)
    if (folder / GAMES).exists():
        for _, result in read_games(folder):
            games -= 1
            seats.subtract((result.contest, bot) for bot in result.seats)
    return max(games, 0), +seats


def _deals(match: Match, contest: Contest, meetings: int) -> float:
    """Return how often each group of a contest meets, if all meet equally often."""
    if match.order.mode != "racing":
        return count_blocks(match, contest) / meetings
    return match.order.blocks / len(match.contests) / meetings


class _Sampler:
    """Blocks of a contest that quick bots play, and what a model would read in them."""

    def __init__(
        self, match: Match, contest: Contest, registry: PluginRegistry, models: Collection[str]
    ) -> None:
        self.contest = contest
        self.games = 0
        self._match = match
        self._registry = registry
        self._quick = _quick_bot(registry, contest.game)
        self._options = {
            bot: registry.settings_of(match.entrant(bot).use, contest.game)
            for bot in match.players_of(contest.id)
            if bot in models
        }
        # By the options that change a prompt: its reads in all games, and its decisions.
        self._reads = {key: Reads() for key in map(_reading, self._options.values())}
        self._decisions: list[tuple[int, Observation[Any]]] = []
        self._seats = 0
        self._scores: list[float] = []
        self._play(models)

    def reads_of(self, bot: str) -> Reads:
        """Return what a bot reads in the game of one seat, on average."""
        return Reads().plus(self._reads[self.reading_of(bot)], 1 / self._seats)

    def reading_of(self, bot: str) -> "_Reading":
        """Return the options of a bot that change what it reads."""
        return _reading(self._options[bot])

    def decision(self) -> Observation[Any]:
        """Return the decision whose prompt has the median length."""
        by_length = sorted(self._decisions, key=lambda decision: decision[0])
        return by_length[len(by_length) // 2][1]

    def half_width(self) -> float | None:
        """Return half the width of the interval of a pair's score after all blocks.

        It is an upper limit, because the games of the match's blocks share their deals.
        """
        if len(self._scores) < FEWEST_BLOCKS or self.contest.is_common:
            return None
        meetings = groups(self._match, self.contest)
        pair = meetings[0][:2]
        number = sum({*pair} <= {*group} for group in meetings)
        blocks = _deals(self._match, self.contest, len(meetings)) * number
        normal = NormalDist().inv_cdf((1 + self._match.rating.level) / 2)
        return normal * stdev(self._scores) / sqrt(blocks)

    def _play(self, models: Collection[str]) -> None:
        meetings = [g for g in groups(self._match, self.contest) if {*models}.intersection(g)]
        # Deals of the match stay unknown to the models until they play them.
        seed = statistics_seed(self._match.seed, PURPOSE)
        games = Games(replace(self._match, seed=seed, salt=None))
        for deal in range(MOST if meetings else 0):
            if deal >= FEWEST and len(self._decisions) >= MOST_PROMPTS:
                break
            bots = meetings[deal % len(meetings)]
            score = PairScore(bots[0], bots[-1], self.contest)
            for task in games.of(Block(self.contest.id, deal, bots)):
                score.add(self._play_game(task))
            if score.value is not None:
                self._scores.append(score.value)

    def _play_game(self, task: GameTask) -> GameResult:
        players = [Player(name, self._quick) for name in NAMES[: len(task.seats)]]
        game, options = self._registry.game(task.game), {**task.rules, **task.vary}
        # Each game has another deal: with one deal, equal bots would play equal games.
        referee = set_up(game, players, options, f"{task.seed} {task.id}")
        is_counted = len(self._decisions) < MOST_PROMPTS
        earlier: dict[tuple[int, _Reading], Prompt] = {}
        most = task.limits.budget.most_steps
        with seated(self._registry, referee) as bots:
            referee.proceed()
            while not referee.is_over and referee.action_count < most:
                if is_counted:
                    self._count(referee.observe(referee.seat), earlier)
                let_bot_act(referee, bots[referee.seat])
        self.games += 1
        self._seats += len(task.seats) if is_counted else 0
        return game_result(task, referee)

    def _count(
        self, observation: Observation[Any], earlier: dict[tuple[int, "_Reading"], Prompt]
    ) -> None:
        """Add the prompts of a decision; `earlier`: the last prompts of the seats in this game."""
        for reading, reads in self._reads.items():
            place = observation.seat, reading
            prompt = build_prompt(observation, reading.memory, reading.choices)
            self._reads[reading] = reads.plus(_reads(prompt, earlier.get(place), reading))
            earlier[place] = prompt
        self._decisions.append((len(prompt.text), observation))


class _Reading(NamedTuple):
    """The options of a model that change what it reads."""

    memory: Memory
    choices: Choices
    is_rated: bool
    samples: int


def _reading(options: Settings) -> _Reading:
    memory, choices = cast(Memory, options.word("memory")), cast(Choices, options.word("choices"))
    return _Reading(
        memory, choices, options.word("form") == "likelihood", options.number("samples")
    )


def _reads(prompt: Prompt, before: Prompt | None, reading: _Reading) -> Reads:
    characters, known = len(prompt.text), len(prompt.constant)
    if before is not None and prompt.log.startswith(before.log):
        known += len(before.log)
    # Each name or sample needs another request with the same prompt; a single name needs none.
    names = len(prompt.names)
    requests = (names if names > 1 else 0) if reading.is_rated else reading.samples
    if not requests:
        return Reads()
    return Reads(requests, requests * characters, known + (requests - 1) * characters)


def _quick_bot(registry: PluginRegistry, game: str) -> str:
    """Return the game's own rule-based bot, which plays games of usual length, or `random`."""
    if registry.has_bot(RULE, game) and all(part.is_shipped for part in registry.parts(RULE, game)):
        return RULE
    return RANDOM.name


def _state_reads(
    match: Match, contest: Contest, registry: PluginRegistry, sampler: _Sampler, bot: str
) -> Reads | None:
    """Return what a bot reads if it is asked in all states of a contest before the first game."""
    reading, reads, last = sampler.reading_of(bot), Reads(), None
    model = registry.make_bot(match.entrant(bot).use, contest.game, Random(PURPOSE))
    for observation in asked_states(match, contest, registry, model):
        prompt = build_prompt(observation, reading.memory, reading.choices)
        reads, last = reads.plus(_reads(prompt, last, reading)), prompt
    return reads if last else None


class _Rates(NamedTuple):
    """What a model uses for a character that it reads, and for an answer.

    `notes`: the characters of its notes. `is_counted`: whether its server counts tokens.
    """

    tokens: float
    written: float
    notes: int
    is_counted: bool

    def usage(self, reads: Reads) -> Usage:
        """Return what a bot uses for these requests."""
        read = (reads.characters + reads.requests * self.notes) * self.tokens
        repeated = reads.repeated * self.tokens
        return Usage(reads.requests, read, repeated, reads.requests * self.written)


def _rates(
    entrant: Entrant, sampler: _Sampler, registry: PluginRegistry, answers: Answers, number: int
) -> _Rates:
    """Return what a model uses, from its answers so far, of which there is at least one.

    `number`: of the game in the match, for the stored answer from which follows how it counts.
    """
    name = f"{PURPOSE}-{number}"
    _ask_once(entrant, sampler, registry, answers.of_game(entrant.id, name))
    first = next(parse_exchanges((answers.folder / entrant.id / f"{name}{SUFFIX}").read_bytes()))
    reading = sampler.reading_of(entrant.id)
    prompt = build_prompt(sampler.decision(), reading.memory, reading.choices)
    usage = SpendingMeter(answers).usage()[entrant.id]
    is_counted = first.reply.tokens_in > 0
    tokens = first.reply.tokens_in / len(prompt.text) if is_counted else 1 / CHARACTERS
    notes = read_notes(first.reply.text) if reading.memory == "notes" else None
    # Answers of games that are played already count as well.
    return _Rates(tokens, usage.tokens_out / usage.answers, len(notes or ""), is_counted)


def _ask_once(
    entrant: Entrant, sampler: _Sampler, registry: PluginRegistry, exchanges: Exchanges
) -> None:
    """Ask a model for one decision, unless it has been asked; raises MatchError."""
    bot = registry.make_bot(entrant.use, sampler.contest.game, Random(PURPOSE))
    try:
        if isinstance(bot, KeepsAnswers):
            bot.keep_answers(exchanges)
        bot.choose(sampler.decision())
    except BotProviderError as error:
        raise MatchError(str(error)) from error
    except BotFaultError:
        pass  # an answer that is refused has its tokens as well
    finally:
        close(bot)
