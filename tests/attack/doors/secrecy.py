"""Two worlds that look the same to a viewer, compared through every exit at every step."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any, NamedTuple

import pyspiel
from tests.attack.cases import Finding, Share
from tests.attack.doors.exits import EXITS, REGISTRY, Side

from cardhub import Game
from cardhub.base.errors import CardhubError
from cardhub.play.announcing.announcer import follow
from cardhub.play.referee import Referee
from cardhub.testing.bot_checks.bot_game import BotGame
from cardhub.testing.random_play import MOST_ACTIONS, trials
from cardhub_openspiel import load

DOOR = "secrecy"
# One of this many games is one of OpenSpiel's adapter.
OPENSPIEL_SHARE = 12
# Attempts to sample a determinization that differs from the true state.
MOST_DRAWS = 3
# The exits that games with secrets other than cards do not have.
OF_CARDS_ONLY = ("arrays", "PettingZoo", "redacted record")
KINDS = tuple(
    pyspiel.IIGObservationType(
        perfect_recall=recall,
        public_info=public,
        private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
    )
    for recall in (False, True)
    for public in (False, True)
)


class Probe(NamedTuple):
    """One position as one viewer sees it in two worlds; `leaks` are the exits that differ."""

    where: str
    leaks: tuple[str, ...]


def attack(share: Share) -> Iterator[list[Finding]]:
    """Compare two worlds, once for each case; a game has many."""
    probes: Iterator[Probe] = iter(())
    games = [REGISTRY.game(name) for name in REGISTRY.game_names()]
    first, within = 0, 0
    for number in share.numbers:
        probe, fresh = next(probes, None), count()
        within += 1
        while probe is None:
            rng = Random(f"{share.seed} {DOOR} {number} {next(fresh)}")
            probes = probed(rng.choice(games), rng)
            probe, first, within = next(probes, None), number, 1
        yield [Finding(DOOR, first, leak, probe.where, within) for leak in probe.leaks]


def probed(game: Game[Any], rng: Random) -> Iterator[Probe]:
    """Yield the probes of one random game, for a random viewer in one other world."""
    is_exported = rng.randrange(OPENSPIEL_SHARE) == 0 and not game.state_type.views_field
    kind = _openspiel if is_exported else _tables
    return kind(game, rng)


def _tables(game: Game[Any], rng: Random) -> Iterator[Probe]:
    """Compare a game at the table with the same actions in another world, step by step."""
    tables = list(trials(game, 1, rng.getrandbits(30)))
    trial = tables[0] if rng.random() < 0.3 else rng.choice(tables)
    played = BotGame(game, trial, seat=rng.randrange(trial.seats))
    viewer = rng.choice((*range(trial.seats), *range(trial.seats), trial.seats))
    where = f"{game.name}, {trial.seats} seats, {dict(trial.settings)}, seed {trial.seed}"
    end = _played(played, rng)
    try:
        world = _elsewhere(played, end, viewer, rng)
        if world is not None:
            yield from _compared(played, world, viewer, where, rng)
    except CardhubError as error:
        yield Probe(where, (f"viewer {viewer}: {type(error).__name__}: {error}",))


def _played(played: BotGame[Any], rng: Random) -> Referee[Any]:
    """Play at random, to the end or up to some step."""
    referee = played.begin()
    most = MOST_ACTIONS if rng.random() < 0.2 else rng.randrange(1, 150)
    while not referee.is_over and len(played.entries) < most:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee


def _elsewhere(
    played: BotGame[Any], end: Referee[Any], viewer: int, rng: Random
) -> BotGame[Any] | None:
    """Return another world in which the viewer has seen the same, or None."""
    for _ in range(MOST_DRAWS):
        world = played.determinized(viewer, rng)
        if (world.faces, world.entries) != (played.faces, played.entries):
            return world
    return None


def _compared(
    played: BotGame[Any], world: BotGame[Any], viewer: int, where: str, rng: Random
) -> Iterator[Probe]:
    """Go through both worlds side by side, and compare all exits after each step."""
    sides = [_side(referee, viewer) for referee in (played, world)]
    for step, entries in enumerate(zip(played.entries, world.entries, strict=True)):
        # No seat observes between a shuffle and its outcome; only the private state shows that.
        if not any(side.referee._state.pending_shuffles for side in sides):
            yield Probe(f"{where}, step {step}, viewer {viewer}", tuple(_leaks(sides, rng)))
        for side, entry in zip(sides, entries, strict=True):
            side.events.clear()
            if side.is_to_act:
                side.before = side.seen
            side.referee.apply_entry(entry)
            side.seen = side.referee.observe(viewer)
    yield Probe(f"{where}, at its end, viewer {viewer}", tuple(_leaks(sides, rng)))


def _side(played: BotGame[Any], viewer: int) -> Side:
    referee = played.until(0).replayed()
    side = Side(referee, viewer, referee.observe(viewer))

    follow(referee, viewer, side.events.append)
    return side


def _leaks(sides: list[Side], rng: Random) -> Iterator[str]:
    """Yield the exits that differ between two worlds."""
    has_secrets = bool(sides[0].referee.game.state_type.views_field)
    for way in EXITS:
        if rng.randrange(way.every) or (has_secrets and way.name in OF_CARDS_ONLY):
            continue
        seed = rng.getrandbits(64)
        one, other = (way.look(side, Random(seed)) for side in sides)
        yield from (f"leak through {name}" for name in _differing(way.name, one, other))


def _differing(name: str, one: object, other: object) -> Iterator[str]:
    """Yield the differences; named texts that only one determinization has are skipped."""
    if isinstance(one, dict) and isinstance(other, dict):
        alike = one.keys() & other.keys()
        yield from (f"{name}: {key}" for key in sorted(alike) if one[key] != other[key])
    elif one != other:
        yield name


def _openspiel(game: Game[Any], rng: Random) -> Iterator[Probe]:
    """Compare states of OpenSpiel's adapter with resampled ones."""
    seats = rng.randrange(game.seats.low, game.seats.high + 1)
    viewer, most = rng.randrange(seats), rng.randrange(1, 40)
    where = f"OpenSpiel's {game.name}, {seats} seats, viewer {viewer}"
    loaded = load(game, players=seats)
    observers = [loaded.make_py_observer(kind) for kind in KINDS]
    state = loaded.new_initial_state()
    for _ in range(most):
        while state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        if state.is_terminal():
            return
        if rng.random() < 0.2:
            other = state.resample_from_infostate(viewer, rng.random)
            shown = [
                list(_shown(state_of_world, viewer, observers)) for state_of_world in (state, other)
            ]
            names = [name for (name, here), (_, there) in zip(*shown, strict=True) if here != there]
            yield Probe(where, tuple(f"leak through OpenSpiel's {name}" for name in names))
        state.apply_action(rng.choice(state.legal_actions()))


def _shown(state: Any, viewer: int, observers: list[Any]) -> Iterator[tuple[str, object]]:
    """Yield the strings and tensors that a player of OpenSpiel gets of a state."""
    yield "current player", state.current_player()
    yield "information state", state.information_state_string(viewer)
    yield "observation", state.observation_string(viewer)
    yield "observation tensor", state.observation_tensor(viewer)
    if state.current_player() == viewer:
        actions = state.legal_actions()
        yield "legal actions", actions
        yield "names of actions", [state.action_to_string(viewer, action) for action in actions]
    for observer in observers:
        yield "observer", observer.string_from(state, viewer)
        observer.set_from(state, viewer)
        yield "observer's tensor", None if observer.tensor is None else observer.tensor.tobytes()
