"""What the language models of a match have read and written, what it costs, and its limits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.base.writing import dollars, listed
from cardhub.base.yamlfile import Diagnostics, NumberRange, Section, parse_file, schema_of
from cardhub.bots.language.exchanges import SUFFIX, Answers, Exchange, parse_exchanges

# The prices of a file are for this number of tokens.
UNIT = 1_000_000
DOLLARS = NumberRange(0, 1_000_000)
EXAMPLE = "{read: 0.25, cached: 0.03, written: 2}"


class Usage(NamedTuple):
    """The number of a model's answers, the tokens that it read and wrote, and its seconds."""

    answers: float = 0
    tokens_in: float = 0
    tokens_cached: float = 0
    tokens_out: float = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> float:
        """The tokens that the model read and wrote."""
        return self.tokens_in + self.tokens_out

    def plus(self, other: "Usage", times: float = 1) -> "Usage":
        """Return the sum with another one, which counts several times."""
        return Usage(*(mine + times * more for mine, more in zip(self, other, strict=True)))


def usage_of(exchanges: Iterable[Exchange]) -> Usage:
    """Return what was read and written for these answers."""
    stored = [*exchanges]
    replies = [exchange.reply for exchange in stored]
    return Usage(
        len(replies),
        fsum(reply.tokens_in for reply in replies),
        fsum(reply.tokens_cached for reply in replies),
        fsum(reply.tokens_out for reply in replies),
        fsum(exchange.seconds for exchange in stored),
    )


class PricesError(CardhubError):
    """A file of prices is invalid; the message has all problems."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model, in dollars for a million tokens; without `cached`, as for `read`."""

    read: Annotated[float, DOLLARS]
    written: Annotated[float, DOLLARS]
    cached: Annotated[float | None, DOLLARS] = None

    def cost(self, usage: Usage) -> float:
        """Return the dollars for what a model read and wrote."""
        cached = self.read if self.cached is None else self.cached
        new = usage.tokens_in - usage.tokens_cached
        total = new * self.read + usage.tokens_cached * cached + usage.tokens_out * self.written
        return total / UNIT


def read_prices(path: Path) -> dict[str, Price]:
    """Return the prices of a file by the name of the model; raises PricesError."""
    problems = Diagnostics(str(path), PricesError)
    top, prices = parse_file(path, problems), {}
    for name, (_, node) in top.entries.items():
        section = Section(node, schema_of(Price), problems, EXAMPLE)
        if {"read", "written"} <= section.values.keys():
            prices[name] = Price(**section.values)
    problems.raise_if_any()
    return prices


class Limit(NamedTuple):
    """The tokens and dollars after which a match pauses; None has no limit."""

    tokens: float | None = None
    dollars: float | None = None

    def is_reached(self, tokens: float, dollars: float) -> bool:
        """Return whether this use reaches a limit."""
        limits = (tokens, self.tokens), (dollars, self.dollars)
        return any(most is not None and spent >= most for spent, most in limits)

    def __str__(self) -> str:
        """Return the limits as a phrase."""
        tokens = [] if self.tokens is None else [f"{self.tokens:,} tokens"]
        return listed(tokens + ([] if self.dollars is None else [dollars(self.dollars)]), "or")


NO_LIMIT = Limit()
NO_PRICES: Mapping[str, Price] = MappingProxyType({})


class SpendingMeter:
    """Counts what the models of a match have used; reads only files that have grown.

    `prices`: the price by bot, as far as it is known.
    """

    def __init__(
        self, answers: Answers, limit: Limit = NO_LIMIT, prices: Mapping[str, Price] = NO_PRICES
    ) -> None:
        self.limit = limit
        self.prices = prices
        self._answers = answers
        # By file: its size, and what its answers used.
        self._files: dict[Path, tuple[int, Usage]] = {}

    def is_spent(self) -> bool:
        """Return whether a limit is reached."""
        if self.limit == NO_LIMIT:
            return False
        by_bot = self.usage()
        tokens = fsum(usage.tokens for usage in by_bot.values())
        return self.limit.is_reached(tokens, self.cost(by_bot))

    def cost(self, by_bot: Mapping[str, Usage]) -> float:
        """Return the dollars for what each bot used, without bots whose price is unknown."""
        return fsum(self.prices[bot].cost(u) for bot, u in by_bot.items() if bot in self.prices)

    def usage(self) -> dict[str, Usage]:
        """Return what was used, by bot."""
        by_bot: dict[str, Usage] = {}
        for path in sorted(self._answers.folder.glob(f"*/*{SUFFIX}")):
            size = path.stat().st_size
            if self._files.get(path, (0, Usage()))[0] != size:
                self._files[path] = size, usage_of(parse_exchanges(path.read_bytes()))
            bot = path.parent.name
            by_bot[bot] = by_bot.get(bot, Usage()).plus(self._files[path][1])
        return by_bot
