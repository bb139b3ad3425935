"""Fingerprints of random games and of searches, which must not change when the code gets faster.

For each game a hash over random games (all public fields of every state, legal actions, scores, and
what is derived from sampled positions) and one over searches (visits and values of all actions).
`--against FILE` compares them with an earlier output and exits with 1 if one differs. The program
uses old public names only, because it must also run on an older checkout.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple, Self

from cardhub import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import blanked
from cardhub.model.table.state import State, declared_names
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Position, Trial, play, trials
from speed import working_games

GAMES, SEARCHES, ITERATIONS = 1_000, 100, 60
DECISIONS = 4
"""The number of successive decisions of a search bot, which keeps its tree between them."""
FIELDS = ("seats", "everybody", "seat", "phase", "back", "seen", "pending_shuffles", "answers")
"""The fields of every state, faces, settings and the shuffle log aside."""


class Fingerprint(NamedTuple):
    """The hashes of one game, and how much they cover."""

    games: int
    steps: int
    play: str
    searches: int
    search: str


class Digest:
    """A hash over the texts of values."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=12)

    def add(self, *values: object) -> Self:
        """Add values of which the text is the same in every process."""
        self._hash.update(repr(values).encode())
        return self

    def text(self) -> str:
        """Return the hash of all added data."""
        return self._hash.hexdigest()


def main() -> None:
    """Print the fingerprints as JSON, with differences and times on standard error."""
    arguments = read_arguments()
    fingerprints: dict[str, Fingerprint] = {}
    for game in [find_plugins().game(arguments.game)] if arguments.game else working_games():
        started = process_time()
        if game.seats.high:
            fingerprints[game.name] = fingerprint(game, arguments.games, arguments.searches)
            print(f"{game.name}: {process_time() - started:.1f} s", file=sys.stderr)
    data = {name: result._asdict() for name, result in fingerprints.items()}
    print(json.dumps(data, indent=1))
    if arguments.against:
        problems = list(differences(data, json.loads(arguments.against.read_text("utf-8"))))
        print(*problems or ["all equal"], sep="\n", file=sys.stderr)
        sys.exit(bool(problems))


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--games", type=int, default=GAMES, help="random games of each game")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="searches in each game")
    parser.add_argument("--against", type=Path, metavar="FILE", help="an earlier output")
    return parser.parse_args()


def differences(now: dict[str, Any], before: dict[str, Any]) -> Iterator[str]:
    """Yield a line for every value that differs, of the games that both have."""
    for name in now.keys() & before.keys():
        for field, value in now[name].items():
            if value != before[name][field]:
                yield f"{name}: {field} is {value}, not {before[name][field]}"


def fingerprint(game: Game[Any], games: int, searches: int) -> Fingerprint:
    """Return the fingerprint of a game."""
    playing, searching = Digest(), Digest()
    steps = sum(add_game(playing, game, trial) for trial in islice(varied(game), games))
    done, seeds = 0, count()
    while done < searches:
        done += add_searches(searching, game, next(seeds))
    return Fingerprint(games, steps, playing.text(), done, searching.text())


def varied(game: Game[Any]) -> Iterator[Trial]:
    """Yield trials without end: all numbers of seats and values of options in turn."""
    seed = 0
    while True:
        yield from trials(game, 1, seed)
        seed += 1


def add_game(digest: Digest, game: Game[Any], trial: Trial) -> int:
    """Add a random game, and return the number of its steps."""
    course = list(play(game, trial))
    rng = Random(trial.seed)
    sampled = rng.randrange(len(course))
    # Settings are checked when they are read; a log only grows, and is added as it does.
    digest.add(sorted(trial.settings.items()))
    length = 0
    for position in course:
        state = position.state
        digest.add(public_values(state), state.shuffle_log[length:], game.scores(state))
        length = len(state.shuffle_log)
        if state.seat != -1:
            digest.add(game.legal(state), game.chance_weights(state) if state.seat == -2 else ())
        if position.number == sampled and state.seat >= 0:
            add_derived(digest, game, position, rng)
    digest.add(course[-1].history)
    return len(course)


def public_values(state: State) -> list[object]:
    """Return the faces and all fields but the settings and the shuffle log."""
    names = (*FIELDS, *(zone.name for zone in state.zones), *sorted(declared_names(state)))
    return [blanked(state.face), *(getattr(state, name) for name in names)]


def add_derived(digest: Digest, game: Game[Any], position: Position[Any], rng: Random) -> None:
    """Add what the core and the game derive from a position."""
    state = position.state
    for viewer in range(state.seats + 1):
        observation = Observation(game, state, viewer, position.history)
        digest.add(public_values(observation.state), observation.state.shuffle_log)
    observation = Observation(game, state, state.seat, position.history)
    for _ in range(2):
        digest.add(public_values(observation.determinize(rng)))
    digest.add(public_values(observation.determinize_whole(rng)))
    copy = state.clone()
    # Games of older checkouts have these methods themselves.
    heuristics: Any = getattr(game, "heuristics", game)
    digest.add(copy == state, game.random_action(copy, rng), heuristics.playout_action(copy, rng))
    digest.add([float(value) for value in heuristics.evaluate(copy)], heuristics.likelihood(copy))


def add_searches(digest: Digest, game: Game[Any], seed: int) -> int:
    """Add the searches of one bot at successive decisions, and return their number."""
    trial = next(islice(trials(game, 1, seed), seed % 7, None), None)
    trial = trial or next(trials(game, 1, seed))
    course = list(play(game, trial))
    decisions = [p for p in course if p.state.seat >= 0 and len(game.legal(p.state)) > 1]
    first = decisions[seed * 5 % 23 * (len(decisions) - 1) // 22]
    own = [p for p in decisions if p.state.seat == first.state.seat and p.number >= first.number]
    bot: Any = find_plugins().make_bot(f"ismcts:{ITERATIONS}", game.name, Random(seed))
    for position in own[:DECISIONS]:
        state = position.state
        rated = bot.advise(Observation(game, state, state.seat, position.history))
        digest.add([(row.action, row.visits, row.value) for row in rated])
    return len(own[:DECISIONS])


if __name__ == "__main__":
    main()
