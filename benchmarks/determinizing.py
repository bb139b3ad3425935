"""Determinization time, printed as a table: the first and the next samples of one observation.

Positions are taken from the second quarter of random games and, in games with several deals, from
the last quarter as well. Further rows have synthetic tokens, some with individual constraints. Each
figure is the median over positions and rounds. The last lines are ratios with an upper bound.
"""

import argparse
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from cardhub import Game
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.constraints.sampler import face_draw
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Position, Trial, play
from speed import surroundings, working_games

GAMES, REPEATS = 6, 20
MANY_DEALS = {"hearts": {"hands": 8}}
"""Options with which a game has many deals."""
TOKENS, CONSTRAINED = 40, (0, 5, 10, 20)
TENTH = 9
"""The number of shuffles before the tenth deal."""
CARDS_LEFT, ITERATIONS = 30, 50


class Times(NamedTuple):
    """Seconds of the first sample, and of each further one."""

    first: float
    next: float


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = range(parser.parse_args().rounds)
    print(surroundings(), f"\n{'':28}{'first µs':>10}{'next µs':>10}", sep="\n")
    for game in working_games():
        if not game.seats.high:
            continue
        tables = {game.name: False, f"{game.name}, many deals": True}
        for title, many in tables.items():
            if not many or game.name in MANY_DEALS:
                for part, times in by_part(game, rounds, many):
                    print(row(f"{title}, {part}", times))
    by_number = {n: [constrained(n, seed) for seed in rounds] for n in CONSTRAINED}
    for number, times in by_number.items():
        print(row(f"{number} of {TOKENS} constrained", times))
    print("", *promises(by_number, rounds), sep="\n")


def promises(by_number: dict[int, list[Times]], rounds: range) -> Iterator[str]:
    """Yield ratios of times, with their upper limits."""
    none, ten = (median(times.next for times in by_number[number]) for number in (0, 10))
    yield f"10 of {TOKENS} constrained / none: {ten / none:.2f} (at most 5)"
    game = find_plugins().game("hearts")
    measured = [tuple(costs(game, number, seed) for number in (1, TENTH)) for seed in rounds]
    for index, label in enumerate(("observing", "determinizing", "searching")):
        ratio = median(tenth[index] / second[index] for second, tenth in measured)
        yield f"{label} in the tenth deal / in the second: {ratio:.2f} (at most 1.5)"


def costs(game: Game[Any], number: int, seed: int) -> tuple[float, float, float]:
    """Return the times to observe, determinize and search after a number of shuffles."""
    settings = resolve_options(game, MANY_DEALS["hearts"] | {"target": 100}, 4)
    position = next(
        position
        for position in play(game, Trial(4, settings, seed))
        if len(position.state.shuffle_log) == number
        and position.state.seat >= 0
        and sum(map(len, position.state.hand)) == CARDS_LEFT
    )
    viewer = position.state.seat
    observing = timed(lambda rng: Observation(game, position.state, viewer, position.history))
    seen = Observation(game, position.state, viewer, position.history)
    bot = SearchBot(Random(seed), budget=SearchBudget(ITERATIONS), keeps=False)
    return (
        observing.next,
        timed(lambda rng: seen.determinize(rng)).next,
        timed(lambda rng: bot.advise(seen), repeats=2).next,
    )


def by_part(game: Game[Any], rounds: range, many: bool) -> Iterator[tuple[str, list[Times]]]:
    """Yield the times early and late in random games."""
    given = MANY_DEALS[game.name] if many else {}
    seats = game.seats.default
    parts: dict[str, list[Times]] = {"early": [], "late": []}
    for seed in range(GAMES):
        settings = resolve_options(game, given, seats)
        course = [p for p in play(game, Trial(seats, settings, seed)) if p.state.seat >= 0]
        for part, share in (("early", 0.03 if many else 0.25), ("late", 0.97 if many else 0.75)):
            position = course[int(share * len(course))]
            parts[part] += [observed(game, position) for _ in rounds]
    yield from parts.items()


def observed(game: Game[Any], position: Position[Any]) -> Times:
    """Return the times for the acting seat's observation."""
    seen = Observation(game, position.state, position.state.seat, position.history)
    return timed(lambda rng: seen.determinize(rng))


def constrained(number: int, seed: int) -> Times:
    """Return the times for synthetic tokens, a number of them with individual constraints."""
    rng = Random(seed)
    masks = [hinted(rng) for _ in range(number)]
    masks += [-1] * (TOKENS - number)
    faces = [-1] * TOKENS
    started = perf_counter()
    draw = face_draw(list(range(TOKENS)), range(TOKENS), masks)
    prepared = perf_counter() - started
    times = timed(lambda rng: draw.draw(rng, faces))
    return Times(prepared + times.first, times.next)


def hinted(rng: Random) -> int:
    """Return the mask of faces (five colours, eight numbers) that fit random hints about one."""
    colour, number, others = rng.randrange(5), rng.randrange(8), rng.sample(range(8), 2)
    is_known = rng.random() < 0.5
    faces = (face for face in range(TOKENS) if not is_known or face // 8 == colour)
    fits = (f for f in faces if f % 8 not in others or f % 8 == number)
    return sum(1 << face for face in fits)


def timed(draw: Callable[[Random], object], repeats: int = REPEATS) -> Times:
    """Return the times of sampling."""
    rng = Random(0)
    started = perf_counter()
    draw(rng)
    first = perf_counter() - started
    started = perf_counter()
    for _ in range(repeats):
        draw(rng)
    return Times(first, (perf_counter() - started) / repeats)


def row(title: str, times: list[Times]) -> str:
    """Format a row of the table."""
    first, following = (1e6 * median(seconds) for seconds in zip(*times, strict=True))
    return f"{title:28}{first:>10.0f}{following:>10.1f}"


if __name__ == "__main__":
    main()
