"""The workbench of a game: keeps its position while files change, and checks it after each change.

Commands come from the threads of page requests, changes of files from the thread that watches
them. One command runs at a time; pages wait for a new revision of the state.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Condition, Event, RLock, Thread
from time import monotonic
from typing import Any

import msgspec

from cardhub.base.errors import RecordError
from cardhub.base.files import read_within, record_access, replace_text
from cardhub.play.host.saved.saves import home
from cardhub.testing.workbench.bench_messages import (
    BenchAnswer,
    BenchCommand,
    BenchFault,
    BenchPosition,
    BenchQuestion,
    BenchReply,
    Checked,
    Explain,
    Look,
    NewDeal,
    ShownPosition,
    Unusable,
)
from cardhub.testing.workbench.bench_process import CheckProcess, GameProcess

# Seconds between two looks at the files of the game.
LOOK_SECONDS = 0.15
# The most bytes of a saved position.
MOST_BYTES = 10_000_000
# A name of a saved position: it becomes the name of a file.
SAVED_NAME = re.compile(r"[\w][\w .-]{0,60}", re.ASCII)
BAD_NAME = (
    "A name of a position has letters, digits, spaces, dots and hyphens, at most 61 of them, "
    "and begins with a letter or digit."
)


class SavePosition(msgspec.Struct, frozen=True, tag="save"):
    """Save the record up to the shown step under a name, instead of an earlier one."""

    name: str


class OpenPosition(msgspec.Struct, frozen=True, tag="open"):
    """Show a saved position."""

    name: str


class OpenFinding(msgspec.Struct, frozen=True, tag="finding"):
    """Show the position in which a check failed."""

    check: str


PageCommand = BenchCommand | SavePosition | OpenPosition | OpenFinding


class BenchState(msgspec.Struct, frozen=True):
    """All that a page shows; `revision` grows with each change.

    `shown` is the last position that could be shown; with `faults` the present files cannot show
    it. `seconds` is how long the last change of files took to be shown.
    """

    revision: int
    game: str
    shown: ShownPosition | None
    faults: tuple[BenchFault, ...]
    printed: str
    checked: Checked | None
    saved: tuple[str, ...]
    reloads: int = 0
    seconds: float = 0.0


class Workbench:
    """A game at a position, in a process that is replaced after each change of its files.

    `on_reload` is called with the state after each change has been shown. Call `begin` first.
    """

    def __init__(
        self,
        directories: Sequence[Path],
        name: str,
        source: Path,
        check_seconds: float,
        on_reload: Callable[[BenchState], object] = lambda state: None,
    ) -> None:
        self._directories = list(directories)
        self._name = name
        self._check_seconds = check_seconds
        self._on_reload = on_reload
        self._watch = SourceWatch(source)
        self._commands = RLock()
        self._changed = Condition()
        self._closing = Event()
        self._game = self._start_game()
        # Started before it is needed: it has imported cardhub when the files change.
        self._spare = self._start_game()
        self._checks: CheckProcess | None = None
        self._check_number = 0
        self._deal = NewDeal(0, {}, 0)
        self._state = BenchState(0, name, None, (), "", None, self._find_saved())

    def begin(self, deal: NewDeal) -> BenchState:
        """Deal, and begin to check; return the state."""
        self.run(deal)
        self._check()
        return self._state

    def run(self, command: PageCommand) -> BenchReply | None:
        """Carry out a command; return the reply of a question that does not change the position."""
        with self._commands:
            match command:
                case Explain():
                    return self._ask(command).reply
                case SavePosition(name):
                    self._save(name)
                case OpenPosition(name):
                    path = _path(self._name, name)
                    with record_access(path, "read"):
                        self._open(read_within(path, MOST_BYTES).decode())
                case OpenFinding(check):
                    findings = self._state.checked.findings if self._state.checked else ()
                    for finding in findings:
                        if finding.check == check and finding.record:
                            self._open(finding.record)
                case _:
                    self._show(command)
            return None

    def wait(self, revision: int, seconds: float) -> BenchState:
        """Return the state once it is newer than a revision, or after some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._state.revision > revision, seconds)
            return self._state

    def watch_files(self) -> None:
        """Reload the game after each change of its files, until `close` is called."""
        while not self._closing.wait(LOOK_SECONDS):
            if self._watch.has_changed():
                # An editor may write several files: wait until they are at rest.
                while self._watch.has_changed() and not self._closing.wait(LOOK_SECONDS):
                    pass
                self.reload()

    def reload(self) -> None:
        """Show the position by the present files, and check them."""
        began = monotonic()
        with self._commands:
            # Its end takes time, for which the page need not wait.
            Thread(target=self._game.end).start()
            self._game = self._spare
            shown = self._state.shown
            self._show(Look(shown.position.step if shown else None))
            self._spare = self._start_game()
            self._publish(reloads=self._state.reloads + 1, seconds=monotonic() - began)
        self._on_reload(self._state)
        self._check()

    def close(self) -> None:
        """End all processes."""
        self._closing.set()
        with self._commands:
            self._game.end()
            self._spare.end()
            if self._checks is not None:
                self._checks.end()
        self._publish()

    def _show(self, command: BenchCommand, position: BenchPosition | None = None) -> None:
        answer = self._ask(command, position)
        reply = answer.reply
        if isinstance(reply, ShownPosition):
            self._publish(shown=reply, faults=reply.faults, printed=answer.printed)
        elif isinstance(reply, Unusable):
            self._publish(faults=reply.faults, printed=answer.printed)

    def _ask(self, command: BenchCommand, position: BenchPosition | None = None) -> BenchAnswer:
        if not self._game.is_usable:
            self._game, self._spare = self._spare, self._start_game()
        if position is None and self._state.shown is not None:
            position = self._state.shown.position
        if isinstance(command, NewDeal):
            self._deal = command
        elif position is None:  # the first deal was not possible
            command = self._deal
        return self._game.ask(BenchQuestion(command, position))

    def _save(self, name: str) -> None:
        if self._state.shown is None:
            return
        position = self._state.shown.position
        lines = position.record.splitlines(keepends=True)
        if position.step is not None:
            # The first line is the deal, which is step 0.
            lines = lines[: position.step + 1]
        path = _path(self._name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, "".join(lines))
        self._publish(saved=self._find_saved())

    def _open(self, record: str) -> None:
        self._show(Look(), BenchPosition(record))

    def _find_saved(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in _folder(self._name).glob("*.jsonl")))

    def _start_game(self) -> GameProcess:
        return GameProcess(self._directories, self._name)

    def _check(self) -> None:
        with self._commands:
            if self._checks is not None:
                self._checks.end()
            self._checks = None
            if self._check_seconds and not self._closing.is_set():
                self._check_number += 1
                self._publish(checked=Checked("running", 0))
                self._checks = CheckProcess(
                    self._directories,
                    self._name,
                    self._check_seconds,
                    partial(self._on_checked, self._check_number),
                )

    def _on_checked(self, number: int, checked: Checked) -> None:
        # The process for earlier files may have sent its result just before its end.
        if number == self._check_number:
            self._publish(checked=checked)

    def _publish(self, **changes: Any) -> None:
        with self._changed:
            revision = self._state.revision + 1
            self._state = msgspec.structs.replace(self._state, revision=revision, **changes)
            self._changed.notify_all()


def _folder(game: str) -> Path:
    # Windows does not allow colons in file names.
    return home() / "positions" / re.sub(r"[^\w-]+", "_", game)


def _path(game: str, name: str) -> Path:
    """Return the path of a saved position; raises RecordError for a name that is not valid."""
    if not SAVED_NAME.fullmatch(name):
        raise RecordError(BAD_NAME)
    return _folder(game) / f"{name}.jsonl"


# Folders whose files are written by tools, not by the author.
IGNORED = {"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
ENDINGS = {".py", ".yaml", ".yml", ".md", ".txt", ".json", ".svg", ".csv"}


class SourceWatch:
    """The files of a game at the last look: of its package, or its only module."""

    def __init__(self, source: Path) -> None:
        # A package is watched as a whole: its data files are part of the rules.
        self.root = source.parent if source.name == "__init__.py" else source
        self._seen = self._look()

    def has_changed(self) -> bool:
        """Return whether a file has changed, come or gone since the last call."""
        before, self._seen = self._seen, self._look()
        return before != self._seen

    def _look(self) -> dict[str, tuple[int, int]]:
        if self.root.is_file():
            return dict([_stamp(self.root)])
        files: dict[str, tuple[int, int]] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in IGNORED]
            paths = (Path(folder, name) for name in names)
            files.update(_stamp(path) for path in paths if path.suffix in ENDINGS)
        return files


def _stamp(path: Path) -> tuple[str, tuple[int, int]]:
    try:
        facts = path.stat()
    except OSError:  # between two steps of an editor that replaces it
        return str(path), (0, 0)
    return str(path), (facts.st_mtime_ns, facts.st_size)
