"""Error texts tell nobody what they may not know: worlds that look alike give the same ones.

An exit yields what a viewer can be told in one part of the program when something goes wrong, each
text under a name. Texts of one name are compared; a name that only one world has is left out, as
whether an action is legal is known to the seat to act alone.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.bots.asking import advise
from cardhub.errors import (
    BotFaultError,
    CardhubError,
    DeterminizationError,
    IllegalActionError,
)
from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation
from cardhub.play.advice import public_fault, tell
from cardhub.play.entries import Entry, Hinted, Taken, Undone
from cardhub.play.fault_report import reproduce
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES
from cardhub.play.setup import ask_to_act
from cardhub.testing.checking import first_difference
from cardhub.testing.deal_replay import retrace
from cardhub.testing.random_play import Position, default_trial, play, trials

Texts = Iterator[tuple[str, str]]
Exit = Callable[[Referee[Any], int, Random], Texts]
"""Yields names and texts, given a game, a viewer and a generator that is alike in every world."""
ANSWERS: tuple[Any, ...] = (-1, -7, 10**9, 10**30, None, True, 1.5, "lay", [1], {"action": 1})
"""Answers that are no action of any game; the numbers around the range of a game are tried, too."""
SAMPLED, FEW = 12, 3
"""How many actions of a game are tried at one place, and how much of what takes longer."""
TYPED = ("", "?", "0", "-1", "99999", "lay", "xyzzy", "#", "#0", "a b c", "\x1b[2J")
FILE = Path("game.jsonl")


class Leak(NamedTuple):
    """A text that differs between two worlds: by the name of the exit, here and elsewhere."""

    name: str
    here: str
    elsewhere: str


class Probes(NamedTuple):
    """How many texts were compared, and those that differ, in words."""

    compared: int
    leaks: tuple[str, ...]


class Quoting:
    """A bot that answers what it is told to, or raises and quotes all that its seat knows."""

    def __init__(self, answer: Any, *, raises: bool = False) -> None:
        self._answer = answer
        self._raises = raises

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot."""
        if self._raises:
            raise ValueError(observation.information_state())
        answer: int = self._answer
        return answer


def refused_actions(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield why actions are refused: to the seat itself in its own words, to others in public."""
    seen = referee.observe(viewer)
    for number, answer in enumerate(_answers(referee, rng)):
        try:
            referee.check(answer)
        except IllegalActionError as error:
            yield f"check {number}", str(error)
            if seen.is_to_act:
                yield f"refusal {number}", seen.refusal(answer)


def bot_faults(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield what is told of faults of the bot to act: its own seat gets a file with everything."""
    if referee.seat < 0:
        return
    bots = [Quoting(answer) for answer in rng.sample(_answers(referee, rng), FEW)]
    for number, bot in enumerate([*bots, Quoting(None, raises=True)]):
        try:
            ask_to_act(referee, bot)
        except BotFaultError as fault:
            yield f"fault {number}", public_fault(referee.players[referee.seat], fault)
            if viewer == referee.seat:
                kept = reproduce(referee, fault, "bot", "seed").as_json()
                yield f"fault file {number}", json.dumps(kept)


def typed_nonsense(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield what somebody reads who types what is no action."""
    seen = referee.observe(viewer)
    if not seen.is_to_act:
        return
    legal, names = seen.legal(), seen.labels(NAMES)
    for number, text in enumerate((*TYPED, names.label(rng.randrange(seen.game.actions.size)))):
        with _told() as told:
            names.parse(text, legal)
        yield from told.under(f"typed {number}")


def hints(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield hints, and why there is none."""
    seen = referee.observe(viewer)
    if not seen.is_to_act:
        return
    for number, answer in enumerate([*_answers(referee, rng)[::3], rng.choice(seen.legal())]):
        with _told() as told:
            told.text = str(tell(advise(Quoting(answer), seen), seen))
        yield from told.under(f"hint {number}")


def refused_entries(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield why undo, hints and actions out of turn are refused."""
    if not referee.can_undo(viewer):
        with _told() as told:
            referee.undo(viewer)
        yield from told.under("undo")
    others = [seat for seat in range(len(referee.players)) if seat != referee.seat]
    entries: list[Entry] = [Undone(seat) for seat in others if not referee.can_undo(seat)]
    for seat in others[:1]:  # a game for one has none
        entries += [Taken(seat, 0), Hinted(seat, "bot")]
    for number, entry in enumerate(entries):
        with _told() as told:
            referee.apply_entry(entry)
        yield from told.under(f"entry {number}")


def damaged_records(referee: Referee[Any], viewer: int, rng: Random) -> Texts:
    """Yield what is wrong with damaged records of a game that is not over."""
    if referee.is_over:
        return  # everybody may see all cards
    lines = [json.loads(line) for line in as_record(referee).splitlines()]
    for number in rng.sample(range(len(DAMAGES)), FEW):
        key, damage = DAMAGES[number]
        places = [place for place, line in enumerate(lines) if line.get(key)]  # or without cards
        if not places:
            continue
        damaged = [dict(line) for line in lines]
        damage(damaged[rng.choice(places)])
        with _told() as told:
            data = "".join(json.dumps(line) + "\n" for line in damaged).encode()
            record = parse_record(FILE, data)
            replayed(record, open_record(referee.game, record))
        yield from told.under(f"record {number}")


def _exchange(line: dict[str, Any], key: str) -> None:
    line[key] = [line[key][-1], *line[key][1:]]


DAMAGES: tuple[tuple[str, Callable[[dict[str, Any]], object]], ...] = (
    ("action", lambda line: line.update(action="nonsense")),
    ("action", lambda line: line.update(action=[line["action"]])),
    ("action", lambda line: line.update(action=line["action"] + "x")),
    ("action", lambda line: line.update(seat=99)),
    ("shuffle", lambda line: _exchange(line, "shuffle")),
    ("shuffle", lambda line: line.update(shuffle=line["shuffle"][1:])),
    ("shuffle", lambda line: line.update(shuffle=line["shuffle"][0])),
    ("deal", lambda line: _exchange(line, "deal")),
    ("deal", lambda line: line.update(deal=line["deal"][1:])),
    ("deal", lambda line: line.update(deal=[line["deal"][0] + "x", *line["deal"][1:]])),
    ("deal", lambda line: line.update(deal=[line["deal"], *line["deal"][1:]])),
)
"""Damages to a line of a record that has a key."""
EXITS: tuple[Exit, ...] = (
    refused_actions,
    bot_faults,
    typed_nonsense,
    hints,
    refused_entries,
    damaged_records,
)
"""What the core itself tells people when something goes wrong."""


def check_same_errors(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that error texts are the same in a world that a viewer takes for possible.

    Viewers are the seat to act, which is told most, and anybody.
    """
    for viewer in {max(position.state.seat, 0), rng.randrange(position.state.seats + 1)}:
        drawn = Observation(game, position.state, viewer).determinize_whole(rng)
        leaks = compared(game, position, viewer, drawn, EXITS)[1]
        if leaks:
            what = f"an error tells seat {viewer} what it may not know: {_in_words(leaks[0])}"
            position.fail(game, "same_errors", what)


def probe_error_texts(
    game: Game[Any], probes: int, seed: int = 0, exits: Sequence[Exit] = EXITS
) -> Probes:
    """Compare at least so many texts of a game, in worlds that a viewer cannot tell apart.

    Positions are those of random games with every number of seats and every option.
    """
    done, leaks, rng = 0, list[str](), Random(f"{seed} probes")
    number = 0
    while done < probes and len(leaks) < SAMPLED:
        every = list(trials(game, 1, seed + number)) or [default_trial(game, game.seats.low, seed)]
        trial = rng.choice(every)
        positions = list(play(game, trial))
        for position in rng.sample(positions, min(3, len(positions))):
            for viewer in range(trial.seats + 1):
                with suppress(DeterminizationError):  # which is another check's to find
                    drawn = Observation(game, position.state, viewer).determinize_whole(rng)
                    count, found = compared(game, position, viewer, drawn, exits)
                    done += count
                    leaks += [_failure(game, position, each) for each in found]
        number += 1
    return Probes(done, tuple(leaks))


def compared(
    game: Game[S], position: Position[S], viewer: int, drawn: S, exits: Sequence[Exit]
) -> tuple[int, list[Leak]]:
    """Return how many texts were compared between the truth and another world, and the leaks."""
    here = _texts(retrace(game, position, position.state), viewer, exits)
    elsewhere = _texts(retrace(game, position, drawn), viewer, exits)
    both = [name for name in here if name in elsewhere]
    differing = [name for name in both if here[name] != elsewhere[name]]
    return len(both), [Leak(name, here[name], elsewhere[name]) for name in differing]


def _texts(referee: Referee[Any], viewer: int, exits: Sequence[Exit]) -> dict[str, str]:
    found: dict[str, str] = {}
    place = len(referee.observe(viewer).history)
    for leave in exits:
        found.update(leave(referee, viewer, Random(f"{leave.__name__} {viewer} {place}")))
    return found


def _answers(referee: Referee[Any], rng: Random) -> list[Any]:
    size = referee.game.actions.size
    sampled = rng.sample(range(size), min(SAMPLED, size))
    return [*sampled, -size, size, size + 1, *ANSWERS]


class _told:  # noqa: N801  # reads as a function where it is used
    """Keeps the text of an error raised in its block."""

    def __init__(self) -> None:
        self.text: str | None = None

    def __enter__(self) -> "_told":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, CardhubError):
            self.text = str(error)
        return isinstance(error, CardhubError)

    def under(self, name: str) -> Texts:
        """Yield the text under a name, if there is one."""
        if self.text is not None:
            yield name, self.text


def _failure(game: Game[S], position: Position[S], leak: Leak) -> str:
    return str(position.failure(game, "same_errors", _in_words(leak)))


def _in_words(leak: Leak) -> str:
    here, elsewhere = first_difference(leak.here, leak.elsewhere)
    return f"{leak.name} (here {here}, elsewhere {elsewhere})"
