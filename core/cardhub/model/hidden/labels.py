"""Labels and notation of cards and actions for one viewer."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, overload

from typing_extensions import override

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.base.errors.quoting import did_you_mean, folded, quoted
from cardhub.base.writing import first_few, listed_phrases
from cardhub.model.game.game import Game
from cardhub.model.hidden.action_matching import matching
from cardhub.model.hidden.constraints.face_masks import mask_of
from cardhub.model.table.actions import Amount, CardName, Players, Tokens
from cardhub.model.table.faces import BLANK, Faces, NotedFaces, blanked
from cardhub.model.table.state import State


def known_faces(faces: Faces) -> Sequence[int]:
    """Return the faces for looking up; a lookup in `NotedFaces` is noted there."""
    return _Lookup(faces) if isinstance(faces, NotedFaces) else blanked(faces)


class _Lookup(Sequence[int]):
    # All methods of a sequence look up one element after another, so every read is noted.

    def __init__(self, faces: NotedFaces) -> None:
        self._faces = faces

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...

    @override
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[token] for token in range(*index.indices(len(self)))]
        return self._faces.look_up(index)

    @override
    def __len__(self) -> int:
        return len(self._faces)


class TypedNames(NamedTuple):
    """What people and records type for some actions: notations without case, and all names."""

    notations: dict[str, int]
    by_action: dict[int, list[str]]


class PileNumber(NamedTuple):
    """The pile of a token and its number there, from 1, among some cards of the pile.

    `seat` is the owner; None for a shared zone. `pile` counts the piles of the zone from 1.
    """

    zone: str
    seat: int | None
    pile: int
    number: int


def card_numbers(
    state: State | None, tokens: Sequence[int | None], faces: Sequence[int], backs: Sequence[int]
) -> list[PileNumber]:
    """Return the number of each card in its pile, among the cards of its face or of its back.

    The list is empty unless all of them are cards in a pile and the state is given.
    """
    numbers = []
    for token in tokens:
        if state is None or token is None:
            return []
        kinds = faces if faces[token] >= 0 else backs
        number = _pile_number(state, token, partial(_is_of_kind, kinds, kinds[token]))
        if number is None:
            return []
        numbers.append(number)
    return numbers


def public_differences(game: Game[Any], state: State | None, token: int) -> tuple[object, ...]:
    """Return a key that differs for equal cards which other seats can distinguish.

    They distinguish cards by the pile, by having seen one of them, by public notes about it, and by
    the faces that public actions have excluded for it.
    """
    if state is None:
        return ()
    number = _pile_number(state, token, lambda _: True)
    notes = [getattr(state, name)[token] for name in state.token_fields]
    return (number and number[:3], state.seen[token], mask_of(game, state, token), *notes)


def _is_of_kind(kinds: Sequence[int], kind: int, token: int) -> bool:
    return kinds[token] == kind


def _pile_number(state: State, token: int, is_counted: Callable[[int], bool]) -> PileNumber | None:
    """Return the number of a token among the counted ones of its pile; None if it lies nowhere."""
    for zone in state.zones:
        for index, pile in enumerate(zone.piles(state)):
            if token in pile:
                number = sum(map(is_counted, pile[: pile.index(token)])) + 1
                seat = index if zone.count == 0 else None
                return PileNumber(zone.name, seat, index + 1, number)
    return None


def suffixes(numbers: Sequence[PileNumber], player: Callable[[int], str]) -> list[tuple[str, ...]]:
    """Return words for each card by which it differs from the others: `3`, or `Bob 3`."""
    columns: list[list[tuple[str, ...]]] = [
        [() if number.seat is None else (player(number.seat),) for number in numbers],
        [(number.zone,) for number in numbers],
        # The piles of seats are named by their players.
        [() if number.seat is not None else (str(number.pile),) for number in numbers],
        [(str(number.number),) for number in numbers],
    ]
    # Only columns that differ are shown: `take R? 3` if all cards are in one hand. The number is
    # always shown.
    shown = [column for column in columns[:-1] if len(set(column)) > 1] + columns[-1:]
    return [tuple(word for part in row for word in part) for row in zip(*shown, strict=True)]


class Labels:
    """Labels for one observation: `lay R14` if the viewer knows the card, or `lay a red card`.

    People read and type labels of cards and sites (`place a1`), records have names and indexes
    (`place r0c0`). The notation of records has `R?#17` for an unseen card: the token distinguishes
    it from other cards with this back. In the same way `Y0#23` distinguishes two legal cards of one
    name. `state` is the observed state, in which equal cards can be numbered for people. `before`:
    the labels of the same viewer before the action that led to this state, if it is described.
    """

    def __init__(
        self,
        game: Game[Any],
        faces: Faces,
        backs: Sequence[int],
        players: Sequence[str] = (),
        state: State | None = None,
        before: "Labels | None" = None,
    ) -> None:
        self._game = game
        self._players = players
        self._state = state
        self._before = before
        self._faces = known_faces(faces)
        self._backs = backs
        self._copies: Counter[int] | None = None  # of each face, computed on first use
        self._typed: tuple[tuple[int, ...], TypedNames] | None = None  # of the last actions

    @property
    def before(self) -> "Labels":
        """The labels before the action that is described, or these labels if there is none."""
        return self._before or self

    def player(self, seat: int) -> str:
        """Return the name of the player at a seat, or the seat's number without names."""
        # Also without a name: a seat above the number of players, in an illegal action.
        return self._players[seat] if seat < len(self._players) else f"seat {seat}"

    def card(self, token: int) -> str:
        """Return a card's label, or the notation of its back if it is unseen: `R14`, `R?`."""
        face, cards = self._faces[token], self._game.cards
        return cards.faces[face].label if face >= 0 else cards.backs[self._backs[token]].unknown

    def card_notation(self, token: int) -> str:
        """Return a card as records write it: its name, or the notation of its back."""
        face, cards = self._faces[token], self._game.cards
        return cards.faces[face].name if face >= 0 else cards.backs[self._backs[token]].unknown

    def cards(self, tokens: Iterable[int]) -> str:
        """Return the labels of several cards in a row, as a list if some are unseen."""
        several = [*tokens]
        labels = self._game.cards.separator.join(map(self.card, several))
        return labels if all(map(self.is_known, several)) else self.phrases(several)

    def phrase(self, token: int) -> str:
        """Return a card for a sentence: `R14`, `a red card`."""
        face, cards = self._faces[token], self._game.cards
        return cards.faces[face].label if face >= 0 else cards.backs[self._backs[token]].title

    def phrases(self, tokens: Iterable[int]) -> str:
        """Return several cards for a sentence: `R14, 2 white cards and a blue card`."""
        return listed_phrases(map(self.phrase, tokens))

    def is_known(self, token: int) -> bool:
        """Return whether the face has been seen."""
        return self._faces[token] >= 0

    def label(self, action: int) -> str:
        """Return the label of an action."""
        return self._labelled(action, self.phrase)

    def past_label(self, action: int) -> str:
        """Return the label of the action that led to this state, for the log of any viewer.

        The game gets the position before the action, with the faces that the viewer knows after
        it. If its label depends on other faces, the label is that of `actions`.
        """
        try:
            own = self._own_label(self._position_before(), action)
        except HiddenFaceError:
            own = ""
        return own or self.plain_label(action)

    def plain_label(self, action: int) -> str:
        """Return the label by `actions`, for an action of another position."""
        if not self.is_action(action):
            return unknown_action(action)
        return self._by_actions(action, self.phrase)

    def is_action(self, action: int) -> bool:
        """Return whether an int is an action at this table, on its cards and known players."""
        seats = len(self._players) or None
        return self._game.actions.is_in_play(action, len(self._faces), seats)

    def notation(self, action: int, legal: Collection[int] = ()) -> str:
        """Return the notation of an action, which is unique among the `legal` ones.

        An int that is not an action gives `action 999`, which cannot be parsed.
        """
        # A match calls this for every action of every game, so the common cases come first.
        game = self._game
        if not 0 <= action < game.actions.size:
            return unknown_action(action)
        text = game.actions.fixed_notations[action]
        if text is not None:
            return text
        group, token = game.actions.by_action[action]
        if token >= len(self._faces):
            return unknown_action(action)
        face = self._faces[token]
        if face == BLANK or not game.actions.is_distinct[action]:
            # An unseen card always needs its token, and the label may be one of another group.
            return self._tagged(action, self._written(action), self._twin(action, legal))
        if self._copies is None:
            self._copies = Counter(self._faces)
        has_twin = self._copies[face] > 1 and self._has_copy(action, legal)
        text = f"{group.verb} {game.cards.faces[face].name}"
        return f"{text}#{token}" if has_twin else text

    def notations(self, legal: Sequence[int]) -> dict[str, int]:
        """Return the legal actions by notation."""
        written = [*map(self._written, legal)]
        several = _several(written)
        return {
            self._tagged(action, text, text in several): action
            for action, text in zip(legal, written, strict=True)
        }

    def choices(self, legal: Sequence[int]) -> dict[str, int]:
        """Return the legal actions by the names that people read and type, in the same order.

        Players have their names: `ask Anna`. Cards that look alike have their number in the pile:
        `take R? 3` is the third one with this back. Indistinguishable cards are numbered
        in the order of `legal`, from the second one on.
        """
        alike: dict[str, list[int]] = {}
        for action in legal:
            alike.setdefault(self._text(action), []).append(action)
        named: dict[int, str] = {}
        for text, actions in alike.items():
            named |= self._told_apart(text, actions) if len(actions) > 1 else {actions[0]: text}
        # Names of players and words of the game can make two names equal: notations never are.
        equal = _several([*named.values()])
        return {
            self.notation(action, legal) if named[action] in equal else named[action]: action
            for action in legal
        }

    def names(self, legal: Sequence[int]) -> dict[int, str]:
        """Return the names of legal actions in sentences; equal cards share the first's name."""
        named = {self._meaning(a): name for name, a in reversed(self.choices(legal).items())}
        return {action: named[self._meaning(action)] for action in legal}

    def matching(self, text: str, actions: Sequence[int]) -> list[int]:
        """Return the actions that a text can mean, typed by a person or from a record."""
        names = self._typed_names(actions)
        # Case and spacing do not matter here either; an empty text is not a notation.
        if text.strip() and (exact := names.notations.get(folded(text))) is not None:
            return [exact]
        return matching(text, names.by_action)

    def _typed_names(self, actions: Sequence[int]) -> TypedNames:
        """Return what can be typed for actions; kept, because some texts mean one after another."""
        key, kept = (*actions,), self._typed
        if kept is None or kept[0] != key:
            choices = {action: name for name, action in self.choices(actions).items()}
            names = TypedNames(
                {name.casefold(): action for name, action in self.notations(actions).items()},
                {action: self._all_names(action, choices[action]) for action in actions},
            )
            self._typed = kept = key, names
        return kept[1]

    def parse(self, text: str, legal: Sequence[int]) -> int:
        """Return the legal action with this notation, or with an unambiguous part of its name.

        Case and spacing are ignored. Of several equal cards the first is chosen if no seat can
        distinguish them. Raises IllegalActionError with the legal actions.
        """
        actions = self.matching(text, legal)
        if len(set(map(self._meaning, actions))) == 1:
            return actions[0]
        if actions:
            meant = first_few(self._names_in_short(actions, legal))
            raise IllegalActionError(f"{text.strip()!r} could be {meant}")
        names = self._names_in_short(legal, legal)
        # A shortcut is a text that people type, such as `all-in`.
        similar = did_you_mean(text, [*names, *_shortcuts(self._game, self._state, legal)])
        raise IllegalActionError(
            f"{text.strip()!r} is not one of the choices.{similar} Choices: {first_few(names)}"
        )

    def _names_in_short(self, actions: Collection[int], legal: Sequence[int]) -> list[str]:
        """Return the names of legal actions, with one name for all amounts of a group."""
        names: dict[int, str] = {}
        amounts: dict[int, list[int]] = {}
        for action, name in self.names(legal).items():
            if action not in actions:
                continue
            key, group = action, self._game.actions.by_action[action][0]
            if isinstance(group, Amount):
                key = group.start
                numbers = amounts.setdefault(key, [])
                numbers.append(group.amount(action))
                if len(numbers) > 1:
                    name = group.label_of(f"{min(numbers)}–{max(numbers)}")
            names[key] = name
        return [*dict.fromkeys(names.values())]

    def _told_apart(self, text: str, actions: Sequence[int]) -> dict[int, str]:
        """Return the names of actions on cards that look alike."""
        if len(set(map(self._meaning, actions))) == 1:
            # Equal for everybody, so the first stands for all of them and has no number.
            return {action: f"{text} {n}" if n > 1 else text for n, action in enumerate(actions, 1)}
        tokens = [self._game.actions.token(action) for action in actions]
        numbers = card_numbers(self._state, tokens, self._faces, self._backs)
        if not numbers:
            return {action: self.notation(action, actions) for action in actions}
        words = suffixes(numbers, self.player)
        return {a: " ".join((text, *w)) for a, w in zip(actions, words, strict=True)}

    def _all_names(self, action: int, choice: str) -> list[str]:
        """Return the names that can be typed for an action."""
        names = [choice, self._text(action), self._written(action)]
        if (seat := self._game.actions.seat(action)) is not None:
            verb = self._game.actions.by_action[action][0].verb
            names += [f"{verb} {name}" for name in (seat, f"seat{seat}", self.player(seat))]
        return names

    def _meaning(self, action: int) -> tuple[object, ...]:
        """Return a key that is equal for actions which no player can distinguish."""
        token = self._game.actions.token(action)
        if token is None:
            return (action,)
        if self._faces[token] < 0:
            return (self._text(action), token)
        return (self._text(action), *public_differences(self._game, self._state, token))

    def _has_copy(self, action: int, legal: Iterable[int]) -> bool:
        places, faces = self._game.actions.by_action, self._faces
        group, token = places[action]
        face = faces[token]
        for other, index in [places[legal_action] for legal_action in legal]:
            if other is group and index != token and faces[index] == face:
                return True
        return False

    def _twin(self, action: int, legal: Iterable[int]) -> bool:
        text = self._written(action)
        return any(a != action and self._written(a) == text for a in legal)

    def _written(self, action: int) -> str:
        """Return the notation without a token, which several actions can share."""
        if not self.is_action(action):
            return unknown_action(action)
        group, index = self._game.actions.by_action[action]
        return group.text(index, self.card_notation)

    def _text(self, action: int) -> str:
        return self._labelled(action, self.card)

    def _labelled(self, action: int, name: CardName) -> str:
        # With few players not all cards are in play, but the actions include all tokens.
        if not self.is_action(action):
            return unknown_action(action)
        return self._own_label(self._state, action) or self._by_actions(action, name)

    def _own_label(self, position: State | None, action: int) -> str:
        """Return the game's label, which it has for actions of seats only."""
        if position is None or position.seat < 0:
            return ""
        return self._game.display.action_label(position, action)

    def _position_before(self) -> State | None:
        before = self.before._state
        if before is None or self._state is None or before is self._state:
            return None
        position = before.clone()
        position.face = self._state.face
        return position

    def _by_actions(self, action: int, name: CardName) -> str:
        group, index = self._game.actions.by_action[action]
        if isinstance(group, Players):
            return self._on_player(group, index)
        return group.label(index, name)

    def _on_player(self, group: Players, seat: int) -> str:
        name = self.player(seat)
        # A name such as `2` would be read as the number of another player.
        is_number = name.casefold().removeprefix("seat").isdecimal()
        return group.text(seat, str) if is_number else f"{group.verb} {name}"

    def _tagged(self, action: int, text: str, has_twin: bool) -> str:
        """Return the notation of an action, given the text that several actions can share."""
        if not self.is_action(action):
            return text
        group, index = self._game.actions.by_action[action]
        is_tagged = isinstance(group, Tokens) and (has_twin or self._faces[index] < 0)
        return f"{text}#{index}" if is_tagged else text


def _several(texts: Sequence[str]) -> set[str]:
    """Return the texts that are there more than once."""
    if len(set(texts)) == len(texts):  # as usual
        return set()
    return {text for text, number in Counter(texts).items() if number > 1}


def unknown_action(action: object) -> str:
    """Return a description of an answer that is not an action of the game."""
    return f"action {quoted(action)}"


def _shortcuts(game: Game[Any], state: State | None, legal: Sequence[int]) -> list[str]:
    """Return the names of a game's shortcuts for legal amounts."""
    if state is None:
        return []
    groups = dict.fromkeys(game.actions.by_action[action][0] for action in legal)
    verbs = [group.verb for group in groups if isinstance(group, Amount)]
    return [name for verb in verbs for name in game.display.shortcuts(state, verb)]
