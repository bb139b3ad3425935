"""Who meets whom in the rounds of a Swiss or a knock-out schedule, from bots in an order."""

from collections.abc import Iterator, Mapping, Sequence

Pair = tuple[str, str]

# More steps than a search without a dead end takes for hundreds of bots.
MOST_STEPS = 20_000


def swiss_rounds(bots: int) -> int:
    """Return the number of rounds after which at most one bot has won all its meetings."""
    return max(1, (bots - 1).bit_length())


def pair_neighbours(order: Sequence[str], met: Mapping[frozenset[str], int]) -> list[Pair]:
    """Pair an even number of bots with bots close to them in the order.

    `met`: how often two bots have met. They meet again only if otherwise others would.
    """
    steps = iter(range(MOST_STEPS))
    most = sum(sorted(met.values())[-len(order) :])
    for repeats in range(most + 1):
        if (pairs := _paired(tuple(order), met, repeats, steps)) is not None:
            return pairs
    return list(zip(order[::2], order[1::2], strict=True))


def _paired(
    order: tuple[str, ...], met: Mapping[frozenset[str], int], repeats: int, steps: Iterator[int]
) -> list[Pair] | None:
    """Return pairs that have met at most `repeats` times, None if there are none."""
    if not order:
        return []
    first, *rest = order
    for number, other in enumerate(rest):
        before = met.get(frozenset((first, other)), 0)
        if before > repeats or next(steps, None) is None:
            continue
        remaining = (*rest[:number], *rest[number + 1 :])
        pairs = _paired(remaining, met, repeats - before, steps)
        if pairs is not None:
            return [(first, other), *pairs]
    return None


def bracket(bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the first meetings of a knock-out, in the order in which their winners meet.

    The first two of the order can only meet in the last round. If the number of bots is not a
    power of 2, the first bots have a bye, which is a meeting with one bot.
    """
    numbers = [0]
    while len(numbers) < len(bots):
        size = 2 * len(numbers)
        numbers = [seed for number in numbers for seed in (number, size - 1 - number)]
    seated = [bots[number] if number < len(bots) else "" for number in numbers]
    meetings = zip(seated[::2], seated[1::2], strict=True)
    return [tuple(bot for bot in meeting if bot) for meeting in meetings]
