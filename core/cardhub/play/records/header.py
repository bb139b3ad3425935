"""The header of a record, validated key by key, and the notation of actions and cards in it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from cardhub.base.errors import HiddenFaceError, IllegalActionError, RecordError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.outcomes import Outcome
from cardhub.model.table.faces import BLANK, MaskedFaces
from cardhub.model.table.settings import Value
from cardhub.model.table.state import State
from cardhub.play.records.edition import DIGITS, Edition
from cardhub.play.seating import Player, check_names
from cardhub.play.seeds import DRAWN

T = TypeVar("T")
SHA256 = re.compile("[0-9a-f]{64}")
EDITION = re.compile(f"([0-9a-f]{{{DIGITS}}})?")
TYPE_NAMES: dict[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}
# Keys that a redacted record shares with the whole one.
UNREDACTED = ("game", "version", "options", "players")
# Keys whose values reveal cards, and are not quoted in errors.
SECRET = ("action", "answers", "deal", "shuffle")


class PlayedOn(NamedTuple):
    """The game that another one continues: the name of its record, and the step it begins after."""

    record: str
    step: int


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a record.

    `commitment` is the SHA-256 by which a drawn seed is committed to. `deal` holds card names in
    token order; `viewer` is the seat for which a record was redacted: then `seed` is missing, and
    `answers` has the answers that depend on missing faces. With `played_on` its first lines come
    from another game, whose cards the players may know. If `helps` is False, the table refuses
    hints, undo and takebacks. `edition`: the cards and rules it began with, None in old records.
    """

    game: str
    version: str
    options: dict[str, Value]
    players: tuple[Player, ...]
    seed: Seed | None
    deal: tuple[str, ...]
    viewer: int | None
    commitment: str | None
    answers: tuple[bool, ...]
    played_on: PlayedOn | None = None
    helps: bool = True
    edition: Edition | None = None

    def is_same_game(self, other: "Header") -> bool:
        """Return whether another header, perhaps redacted, is of the same game."""
        return all(getattr(self, key) == getattr(other, key) for key in UNREDACTED)


def read_header(line: Mapping[str, Any]) -> Header:
    """Convert a decoded line to a header; raises RecordError or SeatingError if it is invalid."""
    players = tuple(map(read_player, read_key(line, "players", list)))
    check_names(players)
    viewer = _viewer(line, len(players))
    # Only a redacted record has no seed: it would reveal the deal.
    is_seedless = viewer is not None and line.get("seed", 0) is None
    return Header(
        game=read_key(line, "game", str),
        version=read_key(line, "version", str),
        options=_options(line),
        players=players,
        seed=None if is_seedless else _seed(line),
        deal=read_list(line, "deal", str),
        viewer=viewer,
        commitment=_commitment(line),
        answers=read_list(line, "answers", bool) if "answers" in line else (),
        played_on=_played_on(line),
        helps=read_key(line, "helps", bool) if "helps" in line else True,
        edition=read_edition_key(line) if "edition" in line else None,
    )


def read_key(line: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """Return the value of a key; raises RecordError if it is missing or not of type `kind`."""
    if key not in line:
        raise RecordError(f"{key!r} is missing")
    value = line[key]
    if type(value) is not kind:  # isinstance would accept true as a number
        raise RecordError(f"{key!r} is {TYPE_NAMES[kind]}, not {_shown(key, value)}")
    return value


def read_list(line: Mapping[str, Any], key: str, kind: type[T]) -> tuple[T, ...]:
    """Return a list whose items all are of type `kind`; raises RecordError."""
    values = read_key(line, key, list)
    for value in values:
        if type(value) is not kind:
            raise RecordError(f"{key!r} holds {TYPE_NAMES[kind]}, not {_shown(key, value)}")
    return tuple(values)


def read_player(written: object) -> Player:
    """Return a player of a record, whose name is not checked; raises RecordError."""
    if type(written) is not dict or written.keys() != {"name", "kind"}:
        raise RecordError(f"a player has a 'name' and a 'kind', not {written!r}")
    return Player(read_key(written, "name", str), read_key(written, "kind", str))


def read_edition_key(line: Mapping[str, Any]) -> Edition:
    """Return the edition of a line; raises RecordError."""
    edition = read_key(line, "edition", dict)
    if edition.keys() != {"cards", "rules"} or not all(
        isinstance(value, str) and EDITION.fullmatch(value) for value in edition.values()
    ):
        raise RecordError(f"'edition' has the digests of 'cards' and 'rules', not {edition!r}")
    return Edition(**edition)


def _seed(line: Mapping[str, Any]) -> Seed:
    seed = line.get("seed")
    if isinstance(seed, str) and not DRAWN.fullmatch(seed):
        raise RecordError(f"'seed' is a whole number or 32 hexadecimal digits, not {seed!r}")
    return seed if isinstance(seed, str) else read_key(line, "seed", int)


def _shown(key: str, value: object) -> str:
    return TYPE_NAMES[type(value)] if key in SECRET else repr(value)


def _commitment(line: Mapping[str, Any]) -> str | None:
    if "commitment" not in line:
        return None
    commitment = read_key(line, "commitment", str)
    if not SHA256.fullmatch(commitment):
        raise RecordError(f"'commitment' is 64 hexadecimal digits, not {commitment!r}")
    return commitment


def _played_on(line: Mapping[str, Any]) -> PlayedOn | None:
    if "played_on" not in line:
        return None
    source = read_key(line, "played_on", dict)
    name, step = read_key(source, "record", str), read_key(source, "step", int)
    if not name.isprintable() or step < 0:
        raise RecordError(f"'played_on' is the name of a record and a step, not {source!r}")
    return PlayedOn(name, step)


def _options(line: Mapping[str, Any]) -> dict[str, Value]:
    options = read_key(line, "options", dict)
    for name, value in options.items():
        if type(value) not in (bool, int, str):
            raise RecordError(
                f"option {name} cannot be {value!r}: it is text, a whole number, true or false"
            )
    return options


def _viewer(line: Mapping[str, Any], seats: int) -> int | None:
    viewer = line.get("viewer")
    if viewer is None or (type(viewer) is int and 0 <= viewer <= seats):
        return viewer
    raise RecordError(
        f"'viewer' is a seat from 0 to {seats - 1}, or {seats} for a spectator, not {viewer!r}"
    )


def write_faces(game: Game[Any], faces: Sequence[int], backs: Sequence[int]) -> list[str]:
    """Encode faces as card names; a BLANK becomes its back's unknown card, such as `R?`."""
    cards = game.cards
    return [
        cards.backs[back].unknown if face == BLANK else cards.faces[face].name
        for face, back in zip(faces, backs, strict=True)
    ]


def read_faces(game: Game[Any], names: Sequence[str]) -> Outcome:
    """Decode card names as faces and backs; raises LookupError for an unknown name."""
    unknown = {back.unknown: number for number, back in enumerate(game.cards.backs)}
    faces = [BLANK if name in unknown else game.cards.face(name) for name in names]
    backs = [
        unknown[name] if face == BLANK else game.cards.back_of[face]
        for name, face in zip(names, faces, strict=True)
    ]
    return Outcome(tuple(faces), tuple(backs))


def fits(faces: Sequence[int], cards: Sequence[int]) -> bool:
    """Return whether `faces` can be a permutation of `cards`; BLANKs match any card."""
    if len(faces) != len(cards):
        return False
    # A face known on one side only must be one of the BLANKs on the other side.
    mine, theirs = Counter(faces), Counter(cards)
    free, owed = mine.pop(BLANK, 0), theirs.pop(BLANK, 0)
    return (mine - theirs).total() <= owed and (theirs - mine).total() <= free


def read_action(game: Game[Any], state: State, text: str, labels: Labels) -> int:
    """Parse an action; raises IllegalActionError, whose `full` names the legal actions.

    `labels`: the labels of the state.
    """
    try:
        legal = game.legal(state)
    except HiddenFaceError:
        # In a redacted record the legal actions may depend on blank faces: any action matches.
        actions, tokens, seats = game.actions, len(state.face), state.seats
        legal = [a for a in range(actions.size) if actions.is_in_play(a, tokens, seats)]
    if not isinstance(state.face, MaskedFaces):
        # One notation after the other is cheap where no face is hidden, and half of them are
        # enough; hidden ones are compared with all others, so `notations` is faster.
        for action in legal:
            if labels.notation(action, legal) == text:
                return action
    names = labels.notations(legal)
    if text in names:
        return names[text]
    # A redacted record has the token of every card, also where this state needs none.
    bare, _, token = text.partition("#")
    for action in legal:
        if str(game.actions.token(action)) == token and labels.notation(action).startswith(bare):
            return action
    full = f"{text!r} is not legal here. Legal: {', '.join(names)}"
    raise IllegalActionError("this action is not legal here", text, full)


def notation_with_token(game: Game[Any], labels: Labels, action: int) -> str:
    """Return an action in the notation of redacted records, which always includes the token."""
    # Without the token it would reveal that no other card in the hand has the same name.
    text, token = labels.notation(action), game.actions.token(action)
    return text if token is None or "#" in text else f"{text}#{token}"
