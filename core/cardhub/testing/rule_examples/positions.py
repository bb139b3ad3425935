"""The position of an example: what `given` lines put there, and what other lines ask of it."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Generic, NoReturn

from cardhub.base.errors import IllegalActionError, OptionError
from cardhub.base.errors.quoting import did_you_mean, folded
from cardhub.base.writing import amount
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.settings import Flag, Number, SeatNumber, Value
from cardhub.model.table.state import OVER
from cardhub.model.table.state_declaration import Zone
from cardhub.play.seating import NAMES
from cardhub.testing.position_builder import ByHand
from cardhub.testing.rule_examples.parsing import Example, ExampleError, ExampleLine

# How a zone without cards and a game without a next seat are written, and yes and no.
NOTHING = ("nothing", "nobody", "-", ".")
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


class ExamplePosition(Generic[S]):
    """A position of an example, which changes with each of its lines; errors name the line."""

    def __init__(self, game: Game[S], example: Example) -> None:
        self._game = game
        self._number = example.number
        given = [line for line in example.lines if line.word == "given"]
        zones = {zone.name for zone in game.state_type.zones}
        self._is_dealt = not any(line.subject.split()[:1] == [n] for line in given for n in zones)
        self._at = self._begin([line for line in given if self._is_setting(line)])
        rest = [line for line in given if not self._is_setting(line)]
        for line in rest:
            self._number = line.number
            self._put(line)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return NAMES[: self._at.state.seats]

    def act(self, line: ExampleLine) -> None:
        """Carry out the actions of a `when` line."""
        self._number = line.number
        for text in _split(line.value):
            seat = self._at.state.seat
            actor = "chance" if seat < OVER else self.players[seat] if seat >= 0 else "nobody"
            if folded(line.subject) != folded(actor):
                self._check_name(line.subject, ("chance", *self.players))
                self._fail(f"it is the turn of {actor}, not of {line.subject}")
            try:
                self._at.act(text)
            except IllegalActionError as error:
                self._fail(str(error))

    def compare(self, line: ExampleLine) -> None:
        """Compare the position with a `then` line."""
        self._number = line.number
        state, value = self._at.state, line.value
        match line.subject.split():
            case ["legal"]:
                self._compare_legal(value, is_wanted=True)
            case ["not", "legal"]:
                self._compare_legal(value, is_wanted=False)
            case ["only", "legal"]:
                self._compare_all_legal(value)
            case ["scores"]:
                wanted = [self._int(part) for part in _split(value)]
                self._compare("scores", wanted, self._game.scores(state), _joined)
            case ["score", "of", name]:
                score = self._game.scores(state)[self._seat(name)]
                self._compare(line.subject, self._int(value), score, str)
            case ["turn"]:
                self._compare("turn", self._turn(value), state.seat, self._actor)
            case ["phase"]:
                self._compare("phase", self._phase(value), state.phase, self._phase_name)
            case [name, *place]:
                self._compare_field(line, name, place)
            case _:
                self._fail("nothing is named before the colon")

    # What `given` lines say.

    def _is_setting(self, line: ExampleLine) -> bool:
        return line.subject in ("players", "deal") or line.subject.startswith("option ")

    def _begin(self, lines: Iterable[ExampleLine]) -> ByHand[S]:
        seats, options, deal = self._game.seats.default, dict[str, Value](), ""
        for line in lines:
            self._number = line.number
            if line.subject == "players":
                seats = self._int(line.value)
            elif line.subject == "deal":
                deal = line.value
            else:
                name = line.subject.removeprefix("option ").strip()
                self._check_name(name, self._game.options)
                options[name] = self._option(name, line.value)
        try:
            at = ByHand(self._game, seats, options)
        except OptionError as error:
            self._fail(str(error))
        if self._is_dealt:
            self._deal(at, deal)
        return at

    def _option(self, name: str, text: str) -> Value:
        option = self._game.options[name]
        if isinstance(option, Flag):
            return self._flag(text)
        return self._int(text) if isinstance(option, Number | SeatNumber) else text

    def _deal(self, at: ByHand[S], cards: str) -> None:
        """Deal the cards in the order of their tokens, the other cards of the pack after them."""
        tokens = self._take(at, cards)
        faces = [at.state.face[token] for token in (*tokens, *at.left)]
        at.state = initial_state(self._game, at.state.settings, at.state.seats, faces)
        at.left = []

    def _put(self, line: ExampleLine) -> None:
        state, name, *place = self._at.state, *line.subject.split()
        if name == "turn":
            state.seat = self._turn(line.value)
        elif name == "phase":
            state.phase = self._phase(line.value)
        elif zone := self._zone(name):
            self._fill(zone, place, line.value)
        else:
            self._set_field(name, place, line.value)

    def _fill(self, zone: Zone, place: list[str], value: str) -> None:
        attribute, piles = getattr(self._at.state, zone.name), zone.piles(self._at.state)
        if not zone.count or place:
            index = self._index(zone, place)
            self._at.state.put_all(self._take(self._at, value), attribute, index)
            return
        stacks = value.replace(",", " ").split()
        if len(stacks) != len(piles):
            entries = amount(len(stacks), "entry", "entries")
            self._fail(f"{zone.name} has {len(piles)} piles, and here is {entries}")
        for number, stack in enumerate(stacks):
            cards = "" if stack in NOTHING else stack.replace("/", ", ")
            self._at.state.put_all(self._take(self._at, cards), attribute, number)

    def _set_field(self, name: str, place: list[str], value: str) -> None:
        state, old = self._at.state, self._field(name)
        if place:
            old[self._seat(place[-1])] = self._int(value)
        elif isinstance(old, bool):
            setattr(state, name, self._flag(value))
        elif isinstance(old, str):
            setattr(state, name, value)
        elif isinstance(old, list | tuple):
            setattr(state, name, type(old)(self._int(part) for part in _split(value)))
        else:
            setattr(state, name, self._int(value))

    # What the other lines ask.

    def _compare_legal(self, value: str, *, is_wanted: bool) -> None:
        labels, legal = self._labels(), self._game.legal(self._at.state)
        for text in _split(value):
            is_legal = bool(self._actions(text))
            if is_wanted and not is_legal:
                self._fail(f"{text} is not legal. Legal: {', '.join(labels.choices(legal))}")
            if not is_wanted and is_legal:
                self._fail(f"{text} is legal")

    def _compare_all_legal(self, value: str) -> None:
        named = {action for text in _split(value) for action in self._actions(text)}
        legal = self._labels().choices(self._game.legal(self._at.state))
        others = [text for text, action in legal.items() if action not in named]
        if others:
            self._fail(f"{', '.join(others)} is legal, too")
        self._compare_legal(value, is_wanted=True)

    def _actions(self, text: str) -> list[int]:
        """Return the legal actions with a name; fails if the game has no such action.

        An action that does not exist is never legal, so a slip would pass unseen.
        """
        labels = self._labels()
        legal = labels.matching(text, self._game.legal(self._at.state))
        every = [a for a in range(self._game.actions.size) if labels.is_action(a)]
        if not legal and not labels.matching(text, every):
            self._fail(f"there is no action {text!r}.{did_you_mean(text, labels.choices(every))}")
        return legal

    def _labels(self) -> Labels:
        return Labels(self._game, self._at.state.face, self._at.state.back)

    def _compare_field(self, line: ExampleLine, name: str, place: list[str]) -> None:
        zone = self._zone(name)
        if zone is not None:
            pile = zone.piles(self._at.state)[self._index(zone, place)]
            cards = [self._at.cards([token]) for token in pile]
            wanted = [self._card(card) for card in self._cards(line.value)]
            self._compare(line.subject, sorted(wanted), sorted(cards), _joined)
            return
        value = self._field(name)
        if place:
            value = value[self._seat(place[-1])]
        if isinstance(value, list | tuple):
            numbers = [self._int(part) for part in _split(line.value)]
            self._compare(line.subject, numbers, list(value), _joined)
        elif isinstance(value, bool):
            self._compare(line.subject, self._flag(line.value), value, _yes_or_no)
        elif isinstance(value, str):
            self._compare(line.subject, line.value, value, str)
        else:
            self._compare(line.subject, self._int(line.value), value, str)

    def _compare(self, subject: str, wanted: Any, actual: Any, text: Callable[[Any], str]) -> None:
        if wanted != actual:
            self._fail(f"{subject} is {text(actual)}, not {text(wanted)}")

    # Names and values.

    def _zone(self, name: str) -> Zone | None:
        return next((zone for zone in self._at.state.zones if zone.name == name), None)

    def _field(self, name: str) -> Any:
        state = self._at.state
        declaration = type(state)._declaration
        zones = [zone.name for zone in state.zones]
        known = [*zones, *declaration.added, "turn", "phase"]
        if name not in declaration.added:
            hint = did_you_mean(name, known)
            self._fail(f"{type(state).__name__} has no zone or field {name!r}.{hint}")
        return getattr(state, name)

    def _index(self, zone: Zone, place: list[str]) -> int:
        if zone.count is None:
            if place:
                self._fail(f"{zone.name} is one pile for the whole table, of nobody")
            return 0
        if not place:
            example = f"{zone.name} of {self.players[0]}" if zone.count == 0 else f"{zone.name} 1"
            self._fail(f"whose pile of {zone.name}? Write `{example}`")
        if zone.count == 0:
            return self._seat(place[-1])
        number = self._int(place[-1])
        if not 1 <= number <= zone.count:
            self._fail(f"{zone.name} has the piles 1 to {zone.count}")
        return number - 1

    def _seat(self, name: str) -> int:
        self._check_name(name, self.players)
        return [folded(player) for player in self.players].index(folded(name))

    def _check_name(self, name: str, known: Iterable[str]) -> None:
        names = list(known)
        if folded(name) not in map(folded, names):
            hint = did_you_mean(name, names) or f" There are {', '.join(names)}"
            self._fail(f"{name!r} is unknown here.{hint}")

    def _turn(self, value: str) -> int:
        return OVER if folded(value) in NOTHING else self._seat(value)

    def _actor(self, seat: int) -> str:
        return self.players[seat] if seat >= 0 else NOTHING[1] if seat == OVER else "chance"

    def _phase(self, value: str) -> int:
        self._check_name(value, self._game.phases)
        return [folded(phase) for phase in self._game.phases].index(folded(value))

    def _phase_name(self, phase: int) -> str:
        return self._game.phases[phase]

    def _flag(self, value: str) -> bool:
        self._check_name(value, (*YES, *NO))
        return folded(value) in YES

    def _int(self, value: str) -> int:
        if re.fullmatch(r"[-−+]?\d+", value):
            return int(value.replace("−", "-"))
        if folded(value) not in map(folded, NAMES):
            self._fail(f"{value!r} is neither a number nor a player")
        return [folded(name) for name in NAMES].index(folded(value))

    def _take(self, at: ByHand[S], value: str) -> list[int]:
        tokens = []
        for name in self._cards(value):
            card = self._card(name)
            try:
                tokens += at.take([card])
            except LookupError as error:
                self._fail(str(error))
        return tokens

    def _cards(self, value: str) -> list[str]:
        if not value or folded(value) in NOTHING:
            return []
        is_one = any(folded(face.name) == folded(value) for face in self._game.cards.faces)
        return [value] if is_one else _split(value) if "," in value else value.split()

    def _card(self, name: str) -> str:
        by_name = {folded(face.name): face.name for face in self._game.cards.faces}
        if folded(name) not in by_name:
            self._fail(f"there is no card {name!r}.{did_you_mean(name, by_name.values())}")
        return by_name[folded(name)]

    def _fail(self, problem: str) -> NoReturn:
        raise ExampleError(self._number, problem)


def _yes_or_no(is_so: bool) -> str:
    return YES[0] if is_so else NO[0]


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _joined(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or NOTHING[0]
