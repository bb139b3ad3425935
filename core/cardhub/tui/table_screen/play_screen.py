"""A game in play on the screen: actions of people, hints, pace, and steps of the log."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from typing_extensions import override

from cardhub.tui.dialogs.action_box import ActionBox
from cardhub.tui.dialogs.dialog import ConfirmDialog
from cardhub.tui.keys import TABLE_KEYS, bindings
from cardhub.tui.table_screen.live_table import UNSEEN_FROM, LiveTable
from cardhub.tui.table_screen.table_messages import SpotChosen
from cardhub.view.texts.card_texts import capitalized
from cardhub.view.view import ChoiceView, View

# Seconds of a step of the pace, and the slowest one.
PACE_STEP, MAX_PACE = 0.3, 3.0


class PlayScreen(LiveTable):
    """Plays the game of a table, local or remote, by keyboard or mouse."""

    # People can assign other keys by the ids.
    BINDINGS: ClassVar[list[BindingType]] = bindings(TABLE_KEYS)

    @on(SpotChosen)
    def choose(self, message: SpotChosen) -> None:
        """Act at a spot; ask which of several actions, or tell why there is none."""
        if self._past is not None:
            self.refresh_table()
            return
        view = self.session.view()
        choices = view.choices_at(message.spot)
        chosen = [choice for choice in choices if choice.action == message.picked] or choices
        if len(chosen) == 1:
            self._act(view.revision, chosen[0].action)
        elif chosen:
            self._ask(view.revision, chosen)
        elif view.choices and message.spot.kind in ("card", "site"):
            self._reader.ask_why(self.session, message.spot, self.say)

    def action_type_action(self) -> None:
        """Open the box for typing an action."""
        if self.is_own_turn():
            view = self.session.view()
            self._ask(view.revision, view.choices)

    def _ask(self, revision: int, choices: Sequence[ChoiceView]) -> None:
        box = ActionBox(choices, self.session.read, self.glyphs.texts)
        self.app.push_screen(box, partial(self._act, revision))

    def _act(self, revision: int, action: int | None) -> None:
        choices = self.session.view().choices
        costly = next((c for c in choices if c.action == action and c.tone == "costly"), None)
        if costly is not None:
            self._confirm(revision, costly)
        elif action is not None:
            self.session.act(action, revision, self.say)

    def _confirm(self, revision: int, choice: ChoiceView) -> None:
        """Ask whether a choice is meant that cannot be undone; enter confirms, escape cancels."""
        name = self.glyphs.texts.text(capitalized(choice.name))

        def take(pressed: str | None) -> None:
            if pressed == "act":
                self.session.act(choice.action, revision, self.say)

        self.app.push_screen(ConfirmDialog(name, "This cannot be undone."), take)

    def action_undo(self) -> None:
        """Take the viewer's last action back, or show why that is impossible."""
        self.session.undo(self.say)

    def action_skip(self) -> None:
        """Finish a search early and skip pacing; retry after a fault."""
        if self._hint.is_thinking:
            self.session.hurry_hint()
        else:
            self.session.wish("skip")

    def action_hint(self) -> None:
        """Ask for a hint, or hide it."""
        if self._hint.is_open:
            self._close_hint()
        elif self.is_own_turn():
            self._hint.wait()
            self.session.hint(self._hint.show_hint)

    def action_pause(self) -> None:
        """Pause the bots, or let them go on."""
        self.session.wish("resume" if self.session.course().is_paused else "pause")

    def action_pace(self, sign: int) -> None:
        """Change the pace of the bots by a step."""
        pace = self.session.course().pace + sign * PACE_STEP
        # Rounded: sums of 0.3 would be shown as 0.8999999999999999.
        pace = round(min(max(pace, 0.0), MAX_PACE), 1)
        self.session.set_pace(pace)
        self.say(f"Bots take at least {pace} s for each action.")

    def action_forced(self) -> None:
        """Play turns with one choice at once, or no longer."""
        is_on = self.session.viewer not in self.host.forced
        self.session.plays_forced(is_on)
        self.say(f"Turns with one choice are {'' if is_on else 'not '}played at once.")

    def action_unseen(self) -> None:
        """Show the cards that have not been seen in a box; beside a wide table hide them."""
        if self.app.size.width >= UNSEEN_FROM:
            self._is_unseen_hidden = not self._is_unseen_hidden
            self.refresh_table()
            return
        lines = "\n".join(self.session.unseen())
        self.tell(lines or "All cards have been seen.", "Not seen yet")

    def action_back(self) -> None:
        """Close the hint and return to the present table."""
        self._close_hint()
        self.refresh_table()

    @override
    def show_step(self, step: int) -> None:
        self.session.view_at(step, partial(self._show_past, step))

    def _show_past(self, step: int, view: View) -> None:
        self._past = view
        self._draw(self._past, turn=f"STEP {step}", until=step)
        self.say("Any key goes back to the present table.")

    def on_key(self, event: events.Key) -> None:
        """Return from a step of the log to the present."""
        if self._past is not None:
            event.stop()
            self.refresh_table()
