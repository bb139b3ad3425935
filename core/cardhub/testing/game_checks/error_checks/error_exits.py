"""Check that error texts reveal no hidden cards, in each part of the program that writes them.

Each exit yields pairs of name and text. Texts of one name are compared between the truth and a
determinization. A name that only one of them has is ignored: whether an action is legal is known to
the seat to act alone.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from typing_extensions import override

from cardhub.base.errors import (
    BotFaultError,
    CardhubError,
    DeterminizationError,
    IllegalActionError,
)
from cardhub.bots.asking import advise
from cardhub.bots.bot import Bot
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.play.advice import public_fault, rated_actions
from cardhub.play.fault_report import reproduce
from cardhub.play.history_entries import Entry, Hinted, Seated, Taken, TakenBack, Undone
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import ask_to_act
from cardhub.testing.checking import first_difference
from cardhub.testing.deal_replay import draw_game, retrace
from cardhub.testing.random_play import Position, default_trial, play, trials
from cardhub.view.explain.reasons import Reasons

Texts = Iterator[tuple[str, str]]
# Yields names and texts for a game and a viewer, with an rng of equal seed in both games.
Exit = Callable[[Referee[Any], int, Random], Texts]

# Answers that are not an action of any game.
NO_ACTIONS: tuple[Any, ...] = (-1, -7, 10**9, 10**30, None, True, 1.5, "lay", [1], {"action": 1})
SAMPLED_ACTIONS = 12
# Samples of faults and damages, which take longer to try.
FEW = 3
TYPED = ("", "?", "0", "-1", "99999", "lay", "xyzzy", "#", "#0", "a b c", "\x1b[2J")
FILE = Path("game.jsonl")


class QuotingBot(Bot):
    """A bot that returns `answer`, or raises an exception that quotes its information state."""

    def __init__(self, answer: Any, *, raises: bool = False) -> None:
        self._answer = answer
        self._raises = raises

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        if self._raises:
            raise ValueError(observation.information_state())
        answer: int = self._answer
        return answer


def refused_actions(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield reasons for refusing actions: for the seat to act, and for others."""
    seen = referee.observe(viewer)
    # Not apply(): a legal answer among them must leave the game as it is for the other exits.
    for number, answer in enumerate(_answers(referee, rng)):
        try:
            referee.check(answer)
        except IllegalActionError as error:
            yield f"check {number}", str(error)
            if seen.is_to_act:
                yield f"refusal {number}", seen.refusal(answer)


def bot_faults(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield messages on faults of the bot to act; its own seat gets a fault report as well."""
    if referee.seat < 0:
        return
    bots = [QuotingBot(answer) for answer in rng.sample(_answers(referee, rng), FEW)]
    for number, bot in enumerate([*bots, QuotingBot(None, raises=True)]):
        try:
            ask_to_act(referee, bot)
        except BotFaultError as fault:
            yield f"fault {number}", public_fault(referee.players[referee.seat], fault)
            if viewer == referee.seat:
                report = reproduce(referee, fault, "bot", "seed").as_json()
                yield f"fault file {number}", json.dumps(report)


def typed_nonsense(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield replies to input that is not an action."""
    seen = referee.observe(viewer)
    if not seen.is_to_act:
        return
    legal, labels = seen.legal(), seen.labels(NAMES)
    for number, text in enumerate((*TYPED, labels.label(rng.randrange(seen.game.actions.size)))):
        yield from _error_of(f"typed {number}", labels.parse, text, legal)


def reasons(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield reasons why actions are illegal, and the actions that are possible instead."""
    seen = referee.observe(viewer)
    if not seen.is_to_act:
        return
    reasons, legal = Reasons(seen, NAMES[: seen.state.seats]), seen.legal()
    yield "possible", reasons.possible()
    size = seen.game.actions.size
    for action in rng.sample(range(size), min(SAMPLED_ACTIONS, size)):
        if action not in legal:
            yield f"reason {action}", reasons.of(action)


def hints(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield hints, and reasons for having none."""
    seen = referee.observe(viewer)
    if not seen.is_to_act:
        return
    for number, answer in enumerate([*_answers(referee, rng)[::3], rng.choice(seen.legal())]):
        try:
            yield f"hint {number}", str(rated_actions(advise(QuotingBot(answer), seen), seen))
        except CardhubError as error:
            yield f"hint {number}", str(error)


def refused_entries(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield reasons for refusing undo, takebacks, players, hints and actions out of turn."""
    if not referee.can_undo(viewer):
        yield from _error_of("undo", referee.undo, viewer)
    others = [seat for seat in range(len(referee.players)) if seat != referee.seat]
    entries: list[Entry] = [Undone(seat) for seat in others if not referee.can_undo(seat)]
    for seat in others[:1]:  # a game for one player has none
        twin = Player(referee.players[referee.seat].name, "bot")
        entries += [Taken(seat, 0), Hinted(seat, "bot"), TakenBack(seat, -1), Seated(seat, twin)]
    for number, entry in enumerate(entries):
        yield from _error_of(f"entry {number}", referee.apply_entry, entry)


def damaged_records(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield errors of reading damaged records of an unfinished game."""
    if referee.is_over:
        return  # at the end all cards are public
    lines = [json.loads(line) for line in as_record(referee).splitlines()]
    for number in rng.sample(range(len(DAMAGES)), FEW):
        key, damage = DAMAGES[number]
        candidates = [n for n, line in enumerate(lines) if line.get(key)]  # some deal no cards
        if not candidates:
            continue
        damaged = [dict(line) for line in lines]
        damage(damaged[rng.choice(candidates)])
        yield from _error_of(f"record {number}", _replay, referee, damaged)


def _replay(referee: Referee[Any], lines: list[dict[str, Any]]) -> None:
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    record = parse_record(FILE, data)
    replayed(record, open_record(referee.game, record))


def _repeat_last(line: dict[str, Any], key: str) -> None:
    line[key] = [line[key][-1], *line[key][1:]]


# Damages to a line of a record that has a key.
DAMAGES: tuple[tuple[str, Callable[[dict[str, Any]], object]], ...] = (
    ("action", lambda line: line.update(action="nonsense")),
    ("action", lambda line: line.update(action=[line["action"]])),
    ("action", lambda line: line.update(action=line["action"] + "x")),
    ("action", lambda line: line.update(seat=99)),
    ("shuffle", lambda line: _repeat_last(line, "shuffle")),
    ("shuffle", lambda line: line.update(shuffle=line["shuffle"][1:])),
    ("shuffle", lambda line: line.update(shuffle=line["shuffle"][0])),
    ("deal", lambda line: _repeat_last(line, "deal")),
    ("deal", lambda line: line.update(deal=line["deal"][1:])),
    ("deal", lambda line: line.update(deal=[line["deal"][0] + "x", *line["deal"][1:]])),
    ("deal", lambda line: line.update(deal=[line["deal"], *line["deal"][1:]])),
)

# All exits of the core.
EXITS: tuple[Exit, ...] = (
    refused_actions,
    bot_faults,
    typed_nonsense,
    reasons,
    hints,
    refused_entries,
    damaged_records,
)


def _answers(referee: Referee[Any], rng: Random) -> list[Any]:
    size = referee.game.actions.size
    sampled = rng.sample(range(size), min(SAMPLED_ACTIONS, size))
    return [*sampled, -size, size, size + 1, *NO_ACTIONS]


def _error_of(name: str, call: Callable[..., object], *arguments: Any) -> Texts:
    try:
        call(*arguments)
    except CardhubError as error:
        yield name, str(error)


MOST_LEAKS = 12
# Positions of each random game in a probe.
SAMPLED_POSITIONS = 3


class Probes(NamedTuple):
    """Number of compared strings, and messages on those that differ."""

    compared: int
    leaks: tuple[str, ...]


def check_same_errors(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check the error texts for the seat to act, which gets most of them, and a random viewer."""
    for viewer in {max(position.state.seat, 0), rng.randrange(position.state.seats + 1)}:
        observation = Observation(game, position.state, viewer, position.history)
        drawn = draw_game(observation, position.history, rng)
        _, leaks = compare_texts(game, position, viewer, drawn, EXITS)
        if leaks:
            problem = f"an error reveals hidden cards to seat {viewer}: {leaks[0]}"
            position.fail(game, "same_errors", problem)


def probe_error_texts(
    game: Game[Any], probes: int, seed: int = 0, exits: Sequence[Exit] = EXITS
) -> Probes:
    """Compare at least `probes` texts at positions of random games.

    The games have all numbers of seats and options. Stops after a few leaks.
    """
    compared, leaks, rng = 0, list[str](), Random(f"{seed} probes")
    number = 0
    while compared < probes and len(leaks) < MOST_LEAKS:
        every = list(trials(game, 1, seed + number)) or [default_trial(game, game.seats.low, seed)]
        positions = list(play(game, rng.choice(every)))
        for position in rng.sample(positions, min(SAMPLED_POSITIONS, len(positions))):
            for viewer in range(position.state.seats + 1):
                with suppress(DeterminizationError):  # another check finds these
                    observation = Observation(game, position.state, viewer, position.history)
                    drawn = draw_game(observation, position.history, rng)
                    count, errors = compare_texts(game, position, viewer, drawn, exits)
                    compared += count
                    leaks += [str(position.failure(game, "same_errors", e)) for e in errors]
        number += 1
    return Probes(compared, tuple(leaks))


def compare_texts(
    game: Game[S],
    position: Position[S],
    viewer: int,
    drawn: tuple[S, Sequence[Step]],
    exits: Sequence[Exit],
) -> tuple[int, list[str]]:
    """Return the number of texts compared between truth and determinization, and the leaks.

    A leak names a text that differs, with its first differing parts.
    """
    truth = position.state, position.history
    here, elsewhere = (_texts(game, position, viewer, *s, exits) for s in (truth, drawn))
    both = [name for name in here if name in elsewhere]
    leaks = []
    for name in both:
        if here[name] != elsewhere[name]:
            true, drawn_text = first_difference(here[name], elsewhere[name])
            leaks.append(f"{name} (here {true}, elsewhere {drawn_text})")
    return len(both), leaks


def _texts(
    game: Game[S],
    position: Position[S],
    viewer: int,
    state: S,
    history: Sequence[Step],
    exits: Sequence[Exit],
) -> dict[str, str]:
    """Return the texts of the game with the faces of `state` and these actions."""
    referee = retrace(game, position, state, history=history)
    leaks: dict[str, str] = {}
    for texts in exits:
        # The same samples in both games: by exit, viewer and position, not by the order of the
        # calls.
        rng = Random(f"{texts.__name__} {viewer} {position.number}")
        leaks.update(texts(referee, viewer, rng))
    return leaks
