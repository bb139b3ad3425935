"""The position of an example: what `given` lines put there, and what other lines ask of it."""

import re
from collections.abc import Callable, Container, Iterable
from typing import Any, Generic, NoReturn

from cardhub.base.errors import IllegalActionError, OptionError
from cardhub.base.errors.quoting import did_you_mean, folded
from cardhub.base.writing import amount
from cardhub.model.game.example_lines import ExampleLine
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.rounds import acting_seats, is_in_round, turn_to
from cardhub.model.table.settings import Flag, Number, SeatNumber, Value
from cardhub.model.table.state import OVER, UNASKED, State
from cardhub.model.table.state_declaration import Zone
from cardhub.play.seating import NAMES
from cardhub.testing.position_builder import ByHand
from cardhub.testing.rule_examples.parsing import Example, ExampleError

# The problem with a choice outside of a round.
NO_ROUND = "several seats choose at the same time here. Name them before:"
# How a zone without cards and a game without a next seat are written, and yes and no.
NOTHING = ("nothing", "nobody", "-", ".")
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def _written(value: Any) -> str:
    """Return a value as lines of an example write it."""
    if isinstance(value, bool):
        return YES[0] if value else NO[0]
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or NOTHING[0]
    return str(value)


class ExamplePosition(Generic[S]):
    """A position of an example, which changes with each of its lines; errors name the line."""

    def __init__(self, game: Game[S], example: Example) -> None:
        self._game = game
        self._number = example.number
        self._card_names = {folded(face.name): face.name for face in game.cards.faces}
        given = [line for line in example.lines if line.word == "given"]
        zones = {zone.name for zone in game.state_type.zones}
        has_zones = any(line.subject.partition(" ")[0] in zones for line in given)
        settings = [line for line in given if _is_setting(line)]
        self._at = self._begin(settings, is_dealt=not has_zones)
        for line in given:
            if line not in settings:
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
            if folded(line.subject) in map(folded, self.players):
                turn_to(self._at.state, self._seat(line.subject))
            actor = self._actor(self._at.state.seat)
            if folded(line.subject) != folded(actor):
                self._known(line.subject, ("chance", *self.players))
                self._fail(f"it is the turn of {actor}, not of {line.subject}")
            try:
                self._at.act(text)
            except IllegalActionError as error:
                self._fail(str(error))
            except TypeError as error:
                if str(error) != UNASKED:
                    raise
                self._fail(f"{NO_ROUND} `given turn: {', '.join(self.players)}`")

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
                self._compare("scores", wanted, self._game.scores(state))
            case ["score", "of", name]:
                score = self._game.scores(state)[self._seat(name)]
                self._compare(line.subject, self._int(value), score)
            case ["turn"] if len(_split(value)) > 1:
                asked = [*map(self._actor, acting_seats(state))]
                self._compare("turn", sorted(map(self._actor, self._seats(value))), sorted(asked))
            case ["turn"]:
                turn = OVER if folded(value) in NOTHING else self._seat(value)
                self._compare("turn", turn, state.seat, self._actor)
            case ["phase"]:
                self._compare("phase", self._phase(value), state.phase, self._phase_name)
            case [name, *place]:
                self._compare_field(line, name, place)

    # What `given` lines say.

    def _begin(self, lines: Iterable[ExampleLine], *, is_dealt: bool) -> ByHand[S]:
        seats, options, deal = self._game.seats.default, dict[str, Value](), ""
        for line in lines:
            self._number = line.number
            if line.subject == "players":
                seats = self._int(line.value)
            elif line.subject == "deal":
                deal = line.value
            else:
                name = self._known(line.subject.removeprefix("option "), self._game.options)
                options[name] = self._option(name, line.value)
        try:
            at = ByHand(self._game, seats, options)
        except OptionError as error:
            self._fail(str(error))
        if is_dealt:
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
            if len(seats := self._seats(line.value)) > 1 and not state.choices_field:
                self._fail("one seat acts at a time in this game. Name one")
            _set_actors(state, seats)
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
            values = list(old) if isinstance(old, list | tuple) else []
            index = self._value_index(name, values, place[-1])
            values[index] = self._read_like(values[index], value)
            setattr(state, name, type(old)(values))
        else:
            setattr(state, name, self._read_like(old, value))

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
        if not legal:
            every = [*filter(labels.is_action, range(self._game.actions.size))]
            if not labels.matching(text, every):
                hint = did_you_mean(text, labels.choices(every))
                self._fail(f"there is no action {text!r}.{hint}")
        return legal

    def _labels(self) -> Labels:
        return Labels(self._game, self._at.state.face, self._at.state.back)

    def _compare_field(self, line: ExampleLine, name: str, place: list[str]) -> None:
        zone = self._zone(name)
        if zone is not None:
            pile = zone.piles(self._at.state)[self._index(zone, place)]
            cards = [self._at.cards([token]) for token in pile]
            wanted = [self._card(card) for card in _card_words(line.value, self._card_names)]
            self._compare(line.subject, sorted(wanted), sorted(cards))
            return
        value = self._field(name)
        if place:
            value = value[self._value_index(name, value, place[-1])]
        self._compare(line.subject, self._read_like(value, line.value), value)

    def _compare(
        self, subject: str, wanted: Any, actual: Any, text: Callable[[Any], str] = _written
    ) -> None:
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

    def _value_index(self, name: str, values: Any, player: str) -> int:
        """Return the index of a player's value among the values of a field."""
        seat = self._seat(player)
        if not isinstance(values, list | tuple) or seat >= len(values):
            self._fail(f"{name} has no value of its own for {self.players[seat]}")
        return seat

    def _seat(self, name: str) -> int:
        return self.players.index(self._known(name, self.players))

    def _known(self, name: str, known: Iterable[str]) -> str:
        """Return a known name as it is spelled there; fails for another name."""
        names = {folded(spelled): spelled for spelled in known}
        if folded(name) not in names:
            hint = did_you_mean(name, names.values()) or f" There are {', '.join(names.values())}"
            self._fail(f"{name!r} is unknown here.{hint}")
        return names[folded(name)]

    def _seats(self, value: str) -> list[int]:
        return [] if folded(value) in NOTHING else [*map(self._seat, _split(value))]

    def _actor(self, seat: int) -> str:
        return self.players[seat] if seat >= 0 else NOTHING[1] if seat == OVER else "chance"

    def _phase(self, value: str) -> int:
        return self._game.phases.index(self._known(value, self._game.phases))

    def _phase_name(self, phase: int) -> str:
        return self._game.phases[phase]

    def _flag(self, value: str) -> bool:
        return self._known(value, (*YES, *NO)) in YES

    def _read_like(self, old: Any, value: str) -> Any:
        """Return what a line says as a value of the type of the `old` one."""
        if isinstance(old, bool):
            return self._flag(value)
        if isinstance(old, list | tuple):
            return type(old)(self._int(part) for part in _split(value))
        return value if isinstance(old, str) else self._int(value)

    def _int(self, value: str) -> int:
        if re.fullmatch(r"[-−+]?\d+", value):
            return int(value.replace("−", "-"))
        players = [*map(folded, NAMES)]
        if folded(value) not in players:
            self._fail(f"{value!r} is neither a number nor a player")
        return players.index(folded(value))

    def _take(self, at: ByHand[S], value: str) -> list[int]:
        tokens = []
        for name in _card_words(value, self._card_names):
            card = self._card(name)
            try:
                tokens += at.take([card])
            except LookupError as error:
                self._fail(str(error))
        return tokens

    def _card(self, name: str) -> str:
        if folded(name) not in self._card_names:
            hint = did_you_mean(name, self._card_names.values())
            self._fail(f"there is no card {name!r}.{hint}")
        return self._card_names[folded(name)]

    def _fail(self, problem: str) -> NoReturn:
        raise ExampleError(self._number, problem)


def _set_actors(state: State, seats: list[int]) -> None:
    """Let one seat act, several or one of a round choose at the same time, or end the game."""
    is_round = is_in_round(state) or len(seats) > 1
    if state.choices_field:
        getattr(state, state.choices_field).clear()
    if seats and is_round:
        state.ask(seats)
    else:
        state.seat = seats[0] if seats else OVER


def _card_words(value: str, names: Container[str]) -> list[str]:
    """Return the names of cards in a value; one name may have spaces."""
    if not value or folded(value) in NOTHING:
        return []
    if folded(value) in names:
        return [value]
    return _split(value) if "," in value else value.split()


def _is_setting(line: ExampleLine) -> bool:
    return line.subject in ("players", "deal") or line.subject.startswith("option ")


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]
