"""Settings, notes, lessons and views: damaged files and messages are rejected with their fault."""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from tests.attack.cases import Finding, Share
from tests.attack.mutations import mutate_bytes, mutate_card_file, mutate_json

from cardhub.base.errors import CardhubError, OptionError, RecordError
from cardhub.model.game.game import Game
from cardhub.play.host.lessons.lesson_file import LessonFileError, read_lesson
from cardhub.play.host.replays.stepping.replay_session import StepNotes, notes_path
from cardhub.play.host.saved.preferences import Preferences, load_preferences, save_preferences
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.view.building import build_view
from cardhub.view.view import decode_view, encode

DOOR = "files"
GAMES = ("gargon", "gamon", "garner")


class Target(NamedTuple):
    """A file or message: how to read it, how to damage it, and the errors that may be raised."""

    data: bytes
    read: Callable[[bytes], object]
    mutate: Callable[[bytes, Random], bytes]
    errors: tuple[type[Exception], ...]


def attack(share: Share) -> Iterator[list[Finding]]:
    """Damage and read one file or message for each case."""
    share.scratch.mkdir(parents=True)
    targets = list(_targets(share.scratch))
    for number in share.numbers:
        rng = Random(f"{share.seed} {DOOR} {number}")
        target = rng.choice(targets)
        damaged = rng.choice((target.mutate, mutate_bytes))(target.data, rng)
        try:
            target.read(damaged)
        except target.errors as error:
            is_told = not isinstance(error, CardhubError) or str(share.scratch) in str(error)
            problem = "" if is_told else "the error does not name the file"
        except Exception as error:  # noqa: BLE001  # which one is the finding
            problem = f"{type(error).__name__} is raised"
            damaged = "".join(traceback.format_exception(error)[-2:]).encode()
        else:
            problem = ""
        how = ascii(damaged[-600:].decode("utf-8", "replace"))[1:-1]
        yield [Finding(DOOR, number, problem, how)] if problem else []


def _targets(folder: Path) -> Iterator[Target]:
    registry = find_plugins()
    settings, notes = folder / "settings.toml", folder / "game.jsonl"
    save_preferences(Preferences(name="Zoe", pace=1.5), settings)

    def read_settings(data: bytes) -> None:
        settings.write_bytes(data)
        # What has been read can be written and read again.
        preferences = load_preferences(settings)
        save_preferences(preferences, settings)
        assert load_preferences(settings) == preferences

    yield Target(settings.read_bytes(), read_settings, mutate_bytes, (OptionError,))
    yield _notes_target(notes)
    for name in GAMES:
        yield from _game_targets(registry.game(name), folder)


def _notes_target(notes: Path) -> Target:
    written = StepNotes(notes)
    for step in (0, 3, 12):
        written.write(step, f"step {step}: why not?")

    def read_notes(data: bytes) -> None:
        notes_path(notes).write_bytes(data)
        read_again = StepNotes(notes)
        read_again.write(5, "again")
        assert StepNotes(notes).steps == read_again.steps

    return Target(notes_path(notes).read_bytes(), read_notes, mutate_json, (RecordError,))


def _game_targets(game: Game[Any], folder: Path) -> Iterator[Target]:
    players = [Player(name, "human") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed=5)
    referee.proceed()
    view = encode(build_view(referee.observe(referee.seat), NAMES[: len(players)]))
    broken = (msgspec.DecodeError,)
    yield Target(view, lambda data: encode(decode_view(data)), mutate_json, broken)
    lesson, phases = game.display.lesson(), game.phases
    if lesson is not None:
        copy = folder / lesson.name

        def read(data: bytes) -> None:
            copy.write_bytes(data)
            read_lesson(copy, phases)

        yield Target(lesson.read_bytes(), read, mutate_card_file, (LessonFileError,))
