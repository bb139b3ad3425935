"""Editions of a game: its cards and rules, by which a record knows them again."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.model.game.game import Game

# Hexadecimal digits of a digest: enough to notice a change, which nobody wants to conceal.
DIGITS = 16
NO_SOURCE = ""
OTHER_RULES = "the code or the data of its rules differs"
LOST_CARDS = "its cards differ (their earlier values were not kept)"
MOST_CHANGES = 12
# Endings of files that rules may read.
DATA = (".yaml", ".yml", ".toml", ".json", ".csv", ".tsv", ".txt")
# The line with which the cards of a card file begin, and the default name of a lesson.
CARDS, LESSON = "cards:", "lesson.yaml"
CardFacts = Mapping[str, Mapping[str, Any]]


class Edition(NamedTuple):
    """The digests of a game's cards and of its rules, code and data; texts and looks do not count.

    Data are the files of the game's package with an ending of `DATA`, or for a game of a single
    file those beside it that it names. Files of cards are not, because their values count as cards.
    """

    cards: str
    rules: str


def edition_of(game: Game[Any]) -> Edition:
    """Return the edition of an installed game; `rules` is empty if its source is missing."""
    facts = card_facts(game)
    for card in facts.values():
        del card["title"]  # rules cannot depend on it
    return Edition(_digest(json.dumps(facts, sort_keys=True)), _rules_digest(*_places(game)))


def card_facts(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """Return by name the facts of each card that rules can depend on, and its title."""
    cards = game.cards
    return {
        card.name: {
            "title": card.title,
            "back": cards.backs[card.back].name,
            "deck": cards.decks[card.deck],
            "copies": card.copies,
            "fields": dict(card.fields),
        }
        for card in cards.faces
    }


def changes_of(game: Game[Any], recorded: Edition, kept: CardFacts | None) -> tuple[str, ...]:
    """Return how the installed game differs from a recorded edition, for example `value 2 → 0`.

    `kept`: the facts of the recorded edition's cards, or None if they were not kept. The result is
    empty if only texts or looks differ.
    """
    here, changes = edition_of(game), list[str]()
    if recorded.cards != here.cards:
        changes += [LOST_CARDS] if kept is None else list(_card_changes(kept, card_facts(game)))
    if recorded.rules != here.rules:
        changes.append(OTHER_RULES)
    return tuple(changes)


def shortened(changes: tuple[str, ...]) -> str:
    """Return changes as one text; of many only the first ones."""
    rest = len(changes) - MOST_CHANGES
    more = [f"and {rest} more"] if rest > 0 else []
    return "; ".join([*changes[:MOST_CHANGES], *more])


def _card_changes(before: CardFacts, after: CardFacts) -> Iterator[str]:
    for name, card in before.items():
        if name not in after:
            yield f"{card['title']}: no longer in the game"
        elif changed := list(_value_changes(_flat(card), _flat(after[name]))):
            yield f"{card['title']}: {', '.join(changed)}"
    yield from (f"{card['title']}: new" for name, card in after.items() if name not in before)


def _value_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, "none"), after.get(key, "none")
        if old != new:
            yield f"{key} {old} → {new}"


def _flat(card: Mapping[str, Any]) -> dict[str, Any]:
    facts = {key: card[key] for key in ("back", "deck", "copies")}
    return {**card["fields"], **facts}


class Package(NamedTuple):
    """The package of a game, or its single file: the name to import, and where it is."""

    name: str
    place: Path


def package_of(game: Game[Any]) -> Package | None:
    """Return the top-level package or file that has the game's class, or None without a file."""
    name = type(game).__module__.partition(".")[0]
    module = sys.modules.get(name)
    places = list(getattr(module, "__path__", ())) or [getattr(module, "__file__", None)]
    place = places[0]
    return None if place is None else Package(name, Path(place))


def _places(game: Game[Any]) -> tuple[Path | None, tuple[Path, ...]]:
    """Return the place of the game's package, and its folders that only show or play the game."""
    package = package_of(game)
    if package is None:
        return None, ()
    own = type(game).__module__.split(".")[:-1]
    parts = (type(part).__module__.split(".")[:-1] for part in (game.display, game.heuristics))
    # Folders below the package: a part beside the game's class may be mixed with its rules.
    folders = (
        package.place.joinpath(*part[1:])
        for part in parts
        if part[:1] == [package.name] and len(part) > 1 and part != own[: len(part)]
    )
    return package.place, tuple(folders)


@cache
def _rules_digest(place: Path | None, excluded: tuple[Path, ...]) -> str:
    if place is None:
        return NO_SOURCE
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    rules = [path for path in paths if not any(path.is_relative_to(part) for part in excluded)]
    try:
        # Names without the folder, because the place of the installation does not matter.
        digests = [(_name(place, path), _digest("\n".join(_code(path)))) for path in rules]
        for path in _data_files(place):
            text = None if any(path.is_relative_to(part) for part in excluded) else _data(path)
            digests += [] if text is None else [(_name(place.parent, path), _digest(text))]
    except (OSError, ValueError):
        return NO_SOURCE
    return _digest(json.dumps(digests))


def _data_files(place: Path) -> list[Path]:
    """Return the files that the rules of a package, or of a single file, may read."""
    if place.is_dir():
        return [path for path in sorted(place.rglob("*")) if path.suffix in DATA]
    source = place.read_text("utf-8")
    # Other games may have their data in the same folder.
    beside = (path for path in sorted(place.parent.iterdir()) if path.suffix in DATA)
    return [path for path in beside if path.name in source]


def _data(path: Path) -> str | None:
    """Return the text of a file with data, or None for cards, lessons, and what is no text."""
    if path.name == LESSON or not path.is_file():
        return None
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return None
    is_card_file = path.suffix in (".yaml", ".yml") and CARDS in map(str.rstrip, lines)
    return None if is_card_file else "\n".join(lines)


def _name(place: Path, path: Path) -> str:
    return path.relative_to(place).as_posix() if place.is_dir() else path.name


def _code(path: Path) -> Iterable[str]:
    """Return the lines of a source that are not blank and not comments."""
    lines = path.read_text("utf-8").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.strip().startswith("#")]


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGITS]
