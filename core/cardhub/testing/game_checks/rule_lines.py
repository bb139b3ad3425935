"""The lines of the rules at which a fault arises: the faulty call runs again, and is watched.

Checks see only the position after a call. Its author wants the line that made the position wrong.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from cardhub.base.errors.source_lines import SourceLine, calling_line, is_skipped
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state
from cardhub.model.table.beats import WATCHED, apply_watched
from cardhub.model.table.state import State
from cardhub.testing.checking import first_line
from cardhub.testing.random_play import Position, Trial, deal


def last_line(call: Callable[[], object]) -> SourceLine | None:
    """Run a call of the rules again; return the last line of the method that it calls."""
    watcher = _CallWatcher(lambda state: 0)
    with watcher.watching():
        call()
    return watcher.outermost


def misplacing_line(game: Game[S], position: Position[S], token: int) -> SourceLine | None:
    """Return the line after which a token was not in one place any more.

    If the deal never lays it out, this is the line of `deal`.
    """

    def places(state: State) -> int:
        piles = (pile for zone in state.zones for pile in zone.piles(state))
        return sum(pile.count(token) for pile in piles)

    watcher = _CallWatcher(places)
    with watcher.watching():
        if position.before is None:
            deal(game, position.trial)
        else:
            action = position.steps[position.number - 1].action
            game.apply(position.before.clone(), action)
    if watcher.changing is None and position.before is None:
        return first_line(game.deal)
    return watcher.changing


def changing_line(call: Callable[[], object], name: str) -> SourceLine | None:
    """Run a call of the rules again; return the last line that changed an attribute of the state.

    The call is a method that gets the state.
    """
    watcher = _CallWatcher(lambda state: hash(repr(getattr(state, name))))
    with watcher.watching():
        call()
    return watcher.changing


def logging_line(game: Game[S], before: S, action: int, number: int) -> SourceLine | None:
    """Return the line of an action that logs sentence `number`, counted from 0."""
    watcher = _CallWatcher(lambda state: len(WATCHED[id(state)].sentences[: number + 1]))
    with watcher.watching():
        apply_watched(game, before.clone(), action)
    return watcher.changing


def peeking_line(game: Game[S], trial: Trial) -> SourceLine | None:
    """Return the first line of the deal that reads a face which it does not show to everybody."""
    dealt = deal(game, trial)
    faces = _ReadFaces(list(dealt.face))
    state = initial_state(game, trial.settings, trial.seats, faces)
    hidden = (line for token, line in faces.reads if state.seen[token] != state.everybody)
    return next(hidden, None)


class _ReadFaces(list[int]):
    """The faces of a deal, with the tokens that the rules read and the lines that read them."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__(faces)
        self.reads: list[tuple[int, SourceLine | None]] = []

    def __getitem__(self, token: Any) -> Any:
        if isinstance(token, int):
            self.reads.append((token, calling_line()))
        return super().__getitem__(token)


class _CallWatcher:
    """Observer of the lines of third-party code that run, and of a number of the state.

    `changing` is the last line that changed the number, `outermost` the last line that ran in the
    method that the core called.
    """

    def __init__(self, count: Callable[[State], int]) -> None:
        self.changing: SourceLine | None = None
        self.outermost: SourceLine | None = None
        self._count = count
        self._called: FrameType | None = None
        self._state: State | None = None
        self._number: int | None = None
        self._line: SourceLine | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Observe the calls of a block; the tracer of a debugger or of coverage comes back."""
        before = sys.gettrace()
        sys.settrace(self._on_event)
        try:
            yield
        finally:
            sys.settrace(before)

    def _on_event(self, frame: FrameType, event: str, _: Any) -> Any:
        if is_skipped(frame.f_code.co_filename):
            return None
        if self._called is None:
            self._called = frame
            arguments = frame.f_locals.values()
            self._state = next((value for value in arguments if isinstance(value, State)), None)
        if self._state is not None:
            number = self._count(self._state)
            if number != self._number and self._line is not None:
                self.changing = self._line
            self._number = number
        if event == "line":
            self._line = SourceLine(frame.f_code.co_filename, frame.f_lineno)
            if frame is self._called:
                self.outermost = self._line
        return self._on_event
