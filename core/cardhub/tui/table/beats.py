"""Beats on the screen: the table in the middle of a step, held until people have read it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from cardhub.play.table_messages import BeatView
from cardhub.play.table_model import TableModel
from cardhub.view.explain.card_texts import sentences
from cardhub.view.text.glyphs import cells
from cardhub.view.view import LogLine

BEAT_GOES = "Press any key to continue."
# Seconds for the last step of a game without a beat of its own, before the result covers the table.
END_SECONDS = 1.2
# The cells beside the sentence of a beat: its mark and the blanks around it.
MARGIN = 3


def text_below(sentence: str, width: int) -> str:
    """Return the text below the table at a beat, with its sentence if the bar would cut it."""
    return sentences(sentence, BEAT_GOES) if cells(sentence) + MARGIN > width else BEAT_GOES


def log_until(log: Sequence[LogLine], step: int | None, sentence: str) -> Sequence[LogLine]:
    """Return the log up to a step, or the whole log for None.

    If the step has a line with the `sentence` of its beat, the log ends with this line: the lines
    after it say what happens after the beat.
    """
    if step is None:
        return log
    past = [line for line in log if line.step <= step]
    ends = [n for n, line in enumerate(past, 1) if (line.step, line.text) == (step, sentence)]
    return past[: ends[-1]] if ends else past


class Timer(Protocol):
    """A callback scheduled for later, such as a timer of Textual."""

    def stop(self) -> None:
        """Do not call it."""
        ...


class BeatPlayer:
    """Shows the beats of the last steps one after another, before the table after them.

    `set_timer` calls a function after some seconds, and `draw` shows a beat. `on_end` is called
    when its time is over or a person goes on: it shows the next beat by `show_next`, or else the
    table.
    """

    def __init__(
        self,
        set_timer: Callable[[float, Callable[[], None]], Timer],
        draw: Callable[[BeatView], None],
        on_end: Callable[[], None],
    ) -> None:
        self._set_timer = set_timer
        self._draw = draw
        self._on_end = on_end
        # By viewer, the last step whose beats were shown or are due.
        self._last: dict[int, int] = {}
        self._is_over = False
        self._due: list[BeatView] = []
        self._timer: Timer | None = None
        self._model: TableModel | None = None

    @property
    def is_showing(self) -> bool:
        """Whether a beat is shown now."""
        return self._timer is not None

    def ignore_past(self, model: TableModel) -> None:
        """Treat the beats up to now as shown: the viewer comes to the table later."""
        self._last[model.viewer] = max((beat.step for beat in model.table.beats), default=0)
        self._is_over = model.view().is_over

    def note(self, model: TableModel) -> None:
        """Note the beats of a step that has just been taken, because the next step replaces them.

        A busy terminal draws so late that another step may have followed.
        """
        if model.status().is_waiting:
            self._collect(model)

    def show_next(self, model: TableModel) -> bool:
        """Show the next beat if the current one is over; return whether a beat is shown."""
        self._collect(model)
        if self._timer is None and self._due:
            beat, self._model = self._due.pop(0), model
            self._draw(beat)
            self._timer = self._set_timer(beat.seconds, self._end)
        return self.is_showing

    def go_on(self) -> bool:
        """End the current beat early, because a person has read it; return whether there is one."""
        model, timer = self._model, self._timer
        if timer is None or model is None:
            return False
        timer.stop()
        # Bots wait for readers. A summary that nobody has seen yet must not count as read.
        if not self._due and not model.unread_summaries():
            model.request("read")
        self._end()
        return True

    def _collect(self, model: TableModel) -> None:
        last = self._last.get(model.viewer, 0)
        fresh = [beat for beat in model.table.beats if beat.step > last]
        if fresh:
            self._last[model.viewer] = fresh[-1].step
        view = model.view()
        if view.is_over and not (self._is_over or fresh):
            step = max((line.step for line in model.log()), default=0)
            fresh = [BeatView(step=step, seconds=END_SECONDS, view=view)]
        self._is_over = view.is_over
        # Without a pace, and while people skip to their turn, nothing holds the table.
        self._due += fresh if model.status().is_waiting else []

    def _end(self) -> None:
        self._timer = self._model = None
        self._on_end()
