"""What the language models of a match read, wrote, cost and answered: the file `models.json`.

It is computed from the stored answers, which are private, and has no answer of a model.
"""

from collections import Counter
from collections.abc import Mapping
from math import fsum
from pathlib import Path

import msgspec
from msgspec import Struct

from cardhub.base.errors import MatchError
from cardhub.bots.language.exchanges import STATES, SUFFIX, Answers, parse_exchanges
from cardhub.bots.language.spending import Price, usage_of
from cardhub.lab.match.log.log_reader import ANSWERS, explained, read_games, read_header
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.match_spec import canonical
from cardhub.lab.match.run.cost_estimate import PURPOSE

# Name and version of the file in the folder of a match.
MODELS, FORMAT = "models.json", 1
# The most reasons of refused answers that a row lists.
MOST_REASONS = 5


class ModelFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """The answers of one language model.

    `model`: the names that its server gave. `dollars`: None if the price is unknown. `refused`: the
    refused answers by kind; `reasons`: the most frequent kinds and reasons. `faults`: tries that
    failed through its server. Tokens are 0 if its server does not count them. `once`: the answers
    of the estimate and in all states of small games, which more games would not need again.
    """

    bot: str
    model: tuple[str, ...]
    games: int
    answers: int
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    seconds: float
    dollars: float | None
    refused: dict[str, int]
    reasons: tuple[tuple[str, str, int], ...]
    faults: int
    once: int = 0


class MatchModels(Struct, frozen=True, forbid_unknown_fields=True):
    """The language models of a match; `match` is its SHA-256 in the first line of its log."""

    cardhub_models: int
    match: str
    bots: tuple[ModelFigures, ...]

    @property
    def dollars(self) -> float | None:
        """What all of them cost, None if a price is unknown."""
        costs = [bot.dollars for bot in self.bots]
        known = [cost for cost in costs if cost is not None]
        return fsum(known) if len(known) == len(costs) else None


def write_models(folder: Path, prices: Mapping[str, Price]) -> None:
    """Write the file, unless no language model has answered in this folder; raises MatchError.

    `prices`: the price by bot, as far as it is known.
    """
    answers = Answers(folder / ANSWERS)
    places = sorted(answers.folder.glob("*/"))
    played = Counter(bot for _, game in read_games(folder) for bot in game.seats) if places else {}
    bots = tuple(
        _figures(place, played.get(place.name, 0), prices.get(place.name)) for place in places
    )
    if bots:
        models = MatchModels(FORMAT, read_header(folder)["sha256"], bots)
        replace_file(folder / MODELS, canonical(msgspec.to_builtins(models)) + "\n")


def models_in(folder: Path) -> MatchModels | None:
    """Return the figures in the folder of a match, or None; raises MatchError."""
    path = folder / MODELS
    if not path.exists():
        return None
    with explained(path):
        data = path.read_bytes()
    try:
        models = msgspec.json.decode(data, type=MatchModels)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MatchError(f"{path}: {error}\nfix: remove it") from error
    if models.match != read_header(folder)["sha256"]:
        raise MatchError(f"{path} is of another match\nfix: remove it")
    return models


def _figures(place: Path, games: int, price: Price | None) -> ModelFigures:
    files = {
        path.stem: [*parse_exchanges(path.read_bytes())]
        for path in sorted(place.glob(f"*{SUFFIX}"))
    }
    exchanges = [exchange for file in files.values() for exchange in file]
    usage = usage_of(exchanges)
    refused = [exchange.refused for exchange in exchanges if exchange.refused.kind]
    often = Counter(refused).most_common(MOST_REASONS)
    return ModelFigures(
        bot=place.name,
        model=tuple(sorted({e.reply.model for e in exchanges if e.reply.model})),
        games=games,
        answers=len(exchanges),
        once=sum(len(files[name]) for name in files if name == STATES or PURPOSE in name),
        tokens_in=int(usage.tokens_in),
        tokens_cached=int(usage.tokens_cached),
        tokens_out=int(usage.tokens_out),
        seconds=round(usage.seconds, 3),
        dollars=None if price is None else price.cost(usage),
        refused=dict(Counter(kind for kind, _ in refused)),
        reasons=tuple((kind, reason, number) for (kind, reason), number in often),
        faults=sum(exchange.reply.faults for exchange in exchanges),
    )
