"""The language models of a match in reports: their work in sentences, and what a dollar settled."""

from collections.abc import Iterator
from math import fsum

from cardhub.base.writing import amount, dollars, percent
from cardhub.lab.analysis.model_figures import MatchModels, ModelFigures
from cardhub.lab.analysis.schema import MatchResult, PairVerdict

OPEN: PairVerdict = "open"


def model_sentence(bot: ModelFigures) -> str:
    """Return what a model read and wrote, in how much time and for how much money."""
    answers = f"{amount(bot.answers, 'answer')} of {bot.bot} in {bot.seconds:,.0f} seconds"
    if not bot.tokens_in:
        return f"{answers}; its server does not count tokens."
    cached = percent(bot.tokens_cached / bot.tokens_in)
    cost = "" if bot.dollars is None else f", for {dollars(bot.dollars)}"
    return (
        f"{answers}: it read {amount(bot.tokens_in, 'token')}, {cached} of them from the cache of "
        f"its server, and wrote {amount(bot.tokens_out, 'token')}{cost}."
    )


def game_cost(bot: ModelFigures) -> str:
    """Return the cost of a game: its dollars, or its tokens if the price is unknown."""
    games = max(bot.games, 1)
    if bot.dollars is not None:
        return dollars(bot.dollars / games)
    return amount(round((bot.tokens_in + bot.tokens_out) / games), "token")


def settled_sentences(models: MatchModels, result: MatchResult) -> Iterator[str]:
    """Yield what the money of a match has settled, unless a price is unknown."""
    if not models.dollars:
        return
    # Pairs without a model do not cost anything.
    names = {bot.bot for bot in models.bots}
    pairs = [p for game in result.statistics.games for p in game.pairs if {p.a, p.b} & names]
    settled = sum(pair.verdict != OPEN for pair in pairs)
    total = f"The models cost {dollars(models.dollars)} in all"
    if settled:
        price = dollars(models.dollars / settled)
        yield f"{total}: {price} for a settled comparison ({settled} of {len(pairs)})."
    else:
        yield f"{total}, and none of {amount(len(pairs), 'comparison')} is settled."
    more = 3 * fsum(map(_cost_of_games, models.bots))
    if more:
        yield (
            "Intervals half as wide need four times as many blocks, for about "
            f"{dollars(more)} more."
        )


def _cost_of_games(bot: ModelFigures) -> float:
    """Return the dollars without those for answers that more games would not need again."""
    return (bot.dollars or 0.0) * (1 - bot.once / max(bot.answers, 1))


def models_heading(models: MatchModels) -> str:
    """Return the models of a match as a phrase, with their cost if it is known."""
    cost = "" if models.dollars is None else f", {dollars(models.dollars)}"
    return f"{amount(len(models.bots), 'model')}{cost}"
