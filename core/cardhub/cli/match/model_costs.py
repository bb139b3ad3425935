"""What the language models of a match cost: the estimate before its first game, and the limits."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.base.writing import amount, dollars, listed, number, percent
from cardhub.bots import LLM, parse_spec
from cardhub.bots.language.exchanges import Answers
from cardhub.bots.language.spending import Limit, SpendingMeter, Usage, read_prices
from cardhub.cli.output import print_paragraph
from cardhub.lab.match.log.log_reader import ANSWERS, has_finished
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.cost_estimate import CostEstimate, estimate_cost
from cardhub.plugins.registry import PluginRegistry

MILLION = 10**6
LINE = "{name}: {{read: DOLLARS, written: DOLLARS}}"
UNKNOWN = (
    "The price of {bots} is unknown. fix: write it into a file, in dollars for a million tokens, "
    "and name the file with --prices: {lines}"
)

# Printed for a match with `variance: aivat`.
ASKED = (
    "{bot} is asked for its policy in all states of {game} before the first game, and not again."
)


def meter_of(match: Match, folder: Path, registry: PluginRegistry) -> SpendingMeter:
    """Return the meter of a match with its limits and prices.

    Raises PricesError, or MatchError if the match has a limit in dollars and a price is unknown.
    """
    listed_prices = read_prices(Path(match.prices)) if match.prices else {}
    names = model_names(match, registry)
    prices = {bot: listed_prices[name] for bot, name in names.items() if name in listed_prices}
    missing = {bot: name for bot, name in names.items() if bot not in prices}
    if match.dollars is not None and missing:
        raise MatchError(f"the match has a limit in dollars. {unknown_prices(missing)}")
    answers = Answers(folder / ANSWERS)
    return SpendingMeter(answers, Limit(match.tokens, match.dollars), prices)


def model_names(match: Match, registry: PluginRegistry) -> dict[str, str]:
    """Return the name of the language model of each bot that is one."""
    game = match.contests[0].game
    return {
        bot.id: registry.settings_of(bot.use, game).word("model")
        for bot in match.entrants
        if parse_spec(bot.use).name == LLM.name
    }


def unknown_prices(names: Mapping[str, str]) -> str:
    """Return the sentence that asks for the prices of bots, given their models."""
    lines = " and ".join(LINE.format(name=name) for name in dict.fromkeys(names.values()))
    return UNKNOWN.format(bots=listed([*names]), lines=lines)


def print_costs(match: Match, registry: PluginRegistry, folder: Path, meter: SpendingMeter) -> None:
    """Print what the rest of a match reads, writes and costs, and how precise it will be.

    A match without language models, or whose limit is reached, has no estimate. Raises MatchError.
    """
    if has_finished(folder) or meter.is_spent():
        return
    estimate = estimate_cost(match, registry, folder)
    if estimate is not None and estimate.games:
        for paragraph in _estimate(estimate, meter, model_names(match, registry)):
            print_paragraph(paragraph, err=True)


def _estimate(
    estimate: CostEstimate, meter: SpendingMeter, names: Mapping[str, str]
) -> Iterator[str]:
    games, sampled = amount(estimate.games, "game"), amount(estimate.sampled, "quick game")
    yield f"Estimate for {games}, from {sampled} and one decision of each model:"
    for bot, usage in estimate.by_bot.items():
        yield f"{bot} {_usage(usage)}{_price(meter, {bot: usage})}."
    for contest, bot in estimate.asked:
        yield ASKED.format(bot=bot, game=contest.id)
    missing = {bot: name for bot, name in names.items() if bot not in meter.prices}
    if missing:
        yield unknown_prices(missing)
    elif len(names) > 1:
        yield f"Together they cost{_price(meter, estimate.by_bot).removeprefix(', for')}."
    if estimate.uncounted:
        yield (
            f"The server of {listed(sorted(estimate.uncounted))} does not count tokens; a token is "
            "taken as 4 characters."
        )
    for contest, width in estimate.widths:
        unit = f" {contest.unit} a game" if contest.in_points else " in the score"
        yield (
            f"In {contest.id} these games show differences of about {number(width, 2)}{unit}, and "
            "smaller ones if equal deals cancel much of the luck."
        )
    yield from _end(estimate, meter)


def _usage(usage: Usage) -> str:
    cached = percent(usage.tokens_cached / usage.tokens_in) if usage.tokens_in else "none"
    return (
        f"answers about {_about(usage.answers)} times, reads about {_about(usage.tokens_in)} "
        f"tokens, up to {cached} of them from a cache, and writes about "
        f"{_about(usage.tokens_out)} tokens"
    )


def _about(value: float) -> str:
    """Return a count with two or three digits: `310`, `12,000`, `3.1 million`."""
    if value >= MILLION:
        return f"{value / MILLION:,.1f} million"
    return f"{round(value, 2 - len(str(round(value)))):,.0f}" if value >= 1000 else f"{value:.0f}"


def _price(meter: SpendingMeter, by_bot: Mapping[str, Usage]) -> str:
    """Return the cost as a phrase with a comma, or an empty text if a price is unknown."""
    if not by_bot.keys() <= meter.prices.keys():
        return ""
    least = meter.cost(by_bot)
    most = meter.cost({bot: usage._replace(tokens_cached=0) for bot, usage in by_bot.items()})
    if dollars(least) == dollars(most):
        return f", for about {dollars(least)}"
    return f", for about {dollars(least)}, or {dollars(most)} without a cache"


def _end(estimate: CostEstimate, meter: SpendingMeter) -> Iterator[str]:
    """Yield that the match pauses before its end, if it does."""
    used = meter.usage()
    whole = {bot: used.get(bot, Usage()).plus(more) for bot, more in estimate.by_bot.items()}
    tokens = sum(round(usage.tokens) for usage in whole.values())
    if meter.limit.is_reached(tokens, meter.cost(whole)):
        yield f"The match pauses before its end, at its limit of {meter.limit}."
