"""A game in play on the screen: actions of people, hints, pace, and steps of the log."""

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import ClassVar, Protocol

import msgspec
from textual import events, on
from textual.binding import BindingType
from typing_extensions import override

from cardhub.base.writing import capitalized
from cardhub.play.host.saved.preferences import DEFAULTS, Confirming, Preferences
from cardhub.play.host.table_host import Host
from cardhub.play.host.terminal import SharedTerminal
from cardhub.play.table_commands import AskHint, PlayForced, SetPace
from cardhub.play.table_messages import BeatView, TableStatus
from cardhub.play.table_model import TableModel, TableReader
from cardhub.play.view_matching import NOT_YOUR_TURN, read_choice
from cardhub.tui.dialogs.action_box import ActionBox
from cardhub.tui.dialogs.amount_box import AmountBox
from cardhub.tui.dialogs.dialog import ConfirmDialog, SummaryDialog
from cardhub.tui.dialogs.handover_screen import HandoverScreen, LookScreen
from cardhub.tui.keys import TABLE_KEYS, DecisionWatch, Key, bindings, key_repeat
from cardhub.tui.table.beats import BeatPlayer, log_until, text_below
from cardhub.tui.table.hint_panel import busy_text
from cardhub.tui.table.status_dialogs import StatusDialogs, actor
from cardhub.tui.table.table_view import (
    TableView,
    changed_pace,
    greeting_of,
    has_effect,
    news_text,
    with_greeting,
)
from cardhub.tui.table.table_widget import SpotChosen
from cardhub.view.explain.card_texts import as_notice, sentences
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.layout.drawing.table_painter import NO_TAG
from cardhub.view.text.glyphs import cells
from cardhub.view.view import AmountRange, ChoiceView, Spot, View

# Seconds between two drawings of the table while bots act without waiting.
MIN_FRAME = 0.1
# Steps per second of the sign of thinking, and seconds after which it is shown.
SIGN_STEPS, SHOW_THINKING_AFTER = 4, 0.5
# The question before an action ends with it.
FINAL = "This cannot be undone."
TURNS_PLAYED = "Turns with only one choice are now played for you."
TURNS_LEFT = "Turns with only one choice now wait for you."
# Notices of a pause on the own turn, because the table does not change before the action.
PAUSES_LATER = "The game pauses after your action."
GOES_ON_LATER = "The game goes on after your action."
ALL_SEEN = "All cards have been seen."
# What the detail says while a past step, or a beat, is shown: a spot is described as it is now.
PAST_GOES = "Press any key to return to the current table."
# The position before the first step.
THE_DEAL = "THE DEAL"
# The most cells of a round's name in the header.
LONGEST_ROUND = 16
# Columns of a terminal from which the table has a pane of unseen cards.
UNSEEN_FROM = 160


class Handover:
    """Hides a table at a shared terminal until the next person takes the terminal.

    `prepare` is called before the table is hidden; `on_taken` after the next person has taken the
    terminal, and `on_leave` if they leave the game instead.
    """

    def __init__(
        self,
        screen: TableView,
        terminal: SharedTerminal,
        prepare: Callable[[], None],
        on_taken: Callable[[], None],
        on_leave: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._terminal = terminal
        self._prepare = prepare
        self._on_taken = on_taken
        self._on_leave = on_leave

    def is_needed(self) -> bool:
        """Return whether another person must take the terminal; hide the table if so."""
        seat = self._terminal.next_holder
        if seat is None:
            return False
        app, text = self._screen.app, self._screen.glyphs.texts.text
        if not isinstance(app.screen, HandoverScreen):
            self._prepare()
            names = [text(player.name) for player in self._screen.session.view().players]
            others = {str(n + 1): names[n] for n in self._terminal.others(seat)}
            screen = HandoverScreen(names[seat], others, self._look)
            app.push_screen(screen, partial(self._take, seat))
        return True

    def _look(self, key: str) -> None:
        """Show a person their own cards over the screen that hides the table."""
        model = self._terminal.look(int(key) - 1)
        self._screen.app.push_screen(LookScreen(model, self._screen.glyphs))

    def _take(self, seat: int, is_taken: bool | None) -> None:
        if not is_taken:
            self._on_leave()
            return
        self._terminal.take(seat)
        self._on_taken()


def round_end_tag(title: str) -> str:
    """Return the header over a summary with this title: `Round 3: Anna wins` is `ROUND 3 IS OVER`.

    A title that is a whole sentence does not name its round.
    """
    name = title.partition(":")[0]
    return f"{name} is over".upper() if cells(name) <= LONGEST_ROUND else "ROUND OVER"


class PlayScreen(TableView):
    """Plays a game in play, at a local table or at a server, by keyboard or mouse.

    After each change of the table, `refresh_table` shows it. `drawn_revision`: the revision of the
    view that was drawn last. `says_you`: texts address the viewer, because one person looks.
    """

    KEYS: ClassVar[Sequence[Key]] = TABLE_KEYS
    # People can assign other keys by the ids.
    BINDINGS: ClassVar[list[BindingType]] = bindings(TABLE_KEYS)

    def __init__(
        self, glyphs: TableGlyphs, preferences: Preferences = DEFAULTS, *, says_you: bool
    ) -> None:
        super().__init__(glyphs, preferences.card_size)
        self._says_you = says_you
        self._status_dialogs = StatusDialogs(self)
        self._summaries = RoundSummaries(self)
        self._questions = ActionQuestions(self, preferences.confirms)
        self._beats = BeatPlayer(self.set_timer, self._draw_beat, self.refresh_table)
        self._past: View | None = None  # a past step, beat or round's end, if shown instead
        self._decisions = DecisionWatch()
        self._is_due = False
        self._shown_at = 0.0
        self.drawn_revision = -1
        self._is_result_seen = self._is_unseen_hidden = False

    @property
    @override
    def session(self) -> TableModel:
        raise NotImplementedError

    @property
    @override
    def why_no_undo(self) -> str:
        return self.session.table.why_no_undo

    @property
    @override
    def shown_view(self) -> View:
        return self._past or self.session.view()

    @override
    def read_detail(self, spot: Spot, picked: int | None) -> None:
        model = self.session
        if self._past is None:
            self._reader.ask(model, self.shown_view, spot, picked, self.say_about, model.why_not)

    def on_mount(self) -> None:
        """Show the table."""
        self._beats.ignore_past(self.session)
        self.refresh_table()
        self.set_interval(1 / SIGN_STEPS, self._tick)

    def on_screen_resume(self) -> None:
        """Wait for the reader of the table, after a box in front of it was closed."""
        self._decisions.uncover(self.app)

    @override
    def works(self, key: Key) -> bool:
        return has_effect(key, self.session, self.hint_panel)

    def refresh_table(self) -> None:
        """Show the table: a beat of the last step, a round's summary, a handover, or the view."""
        self._is_due = False
        if not self.is_attached:
            return
        status = self.session.status()
        if status.failure is not None:
            self.action_leave()
        elif not (
            self._beats.show_next(self.session) or self._summaries.stop() or self.is_covered()
        ):
            self._show_present(status)

    def is_covered(self) -> bool:
        """Return whether the table is hidden until another person takes the terminal."""
        return False

    def on_change(self) -> None:
        """Note the beats of a change of the table, and schedule a drawing."""
        if self.is_attached:
            self._beats.note(self.session)
            if not self._is_due:
                self._is_due = True
                self.call_later(self._draw_in_time)

    def _draw_in_time(self) -> None:
        """Draw now, or a little later: fast bots act more often than a terminal can draw."""
        if not self.is_attached:
            return
        status, view = self.session.status(), self.session.view()
        wait = self._shown_at + MIN_FRAME - monotonic()
        if status.is_waiting or view.choices or view.is_over or wait <= 0:
            self.refresh_table()
        else:
            self.set_timer(wait, self.refresh_table)

    def _show_present(self, status: TableStatus) -> None:
        view = self.session.view()
        before = self.notice if self._past is None else ""
        if view.choices:
            self._decisions.show(self.app, view.phase, is_after_pause=self._past is not None)
        if self._past is not None:
            self.say("")  # the text on the past
        self._past, self._shown_at = None, monotonic()
        if self.drawn_revision != view.revision:
            before, self.drawn_revision = "", view.revision
            self._close_hint()
            self.say("")
        self.draw(view, turn=self._turn_tag(status))
        if self.notice and self.notice != before:
            # Not again: it would replace an answer that came in the meantime.
            self.say(self.notice)
        self._status_dialogs.show(self.session, status, view)
        was_seen, self._is_result_seen = self._is_result_seen, view.is_over
        if view.is_over and not was_seen:
            self._show_result()

    def _show_result(self) -> None:
        raise NotImplementedError

    def draw(self, view: View, *, turn: str, until: int | None = None) -> None:
        """Draw a view with the tag of its turn, and the log up to a step."""
        log = with_greeting(log_until(self.session.log(), until, view.prompt), self.greeting, view)
        shows_unseen = self.app.size.width >= UNSEEN_FROM and not self._is_unseen_hidden
        self.table.change(
            turn=turn,
            busy="",
            news=news_text(log, self.app.size.width - 3),
            says_you=self._says_you,
            hides_cursor=self._past is not None,
            unseen=self.session.table.unseen if shows_unseen else (),
        )
        self.table.show_view(view, self.session.catalogue, log)

    def _turn_tag(self, status: TableStatus) -> str:
        view = self.session.view()
        self.notice = ""
        if status.fault is not None:
            self.notice = "Press . to try again, or q to leave."
            return f"{actor(view)} failed"
        if status.is_paused and view.to_act >= 0 and not view.choices:
            name = view.players[view.to_act].name
            self.notice = f"Paused: {name} is next. Press p to go on, or . for one step."
            return "PAUSED"
        return ""

    def _draw_beat(self, beat: BeatView) -> None:
        key_repeat(self.app).await_reader()
        self._close_hint()
        text = text_below(self.glyphs.texts.text(beat.view.prompt), self.app.size.width)
        self.draw_past(beat.view, text, turn=NO_TAG, until=beat.step)

    def draw_past(self, view: View, text: str, *, turn: str, until: int) -> None:
        """Draw an earlier view instead of the present one, with a text in place of descriptions."""
        self._past = view
        self.draw(view, turn=turn, until=until)
        self.say(text)

    def _tick(self) -> None:
        if self.app.screen is not self and not self.is_current:
            return
        status, view = self.session.status(), self.session.view()
        self.hint_panel.show_thinking()
        if (status.thinking or 0) >= SHOW_THINKING_AFTER:
            self.table.change(busy=busy_text(status))
        self._status_dialogs.show(self.session, status, view)

    def _close_hint(self) -> None:
        if self.hint_panel.is_open:
            self.session.cancel_hint()
            self.hide_hint()

    @override
    def action_whole_log(self) -> None:
        self._close_hint()
        super().action_whole_log()

    @override
    def action_leave(self) -> None:
        self.session.cancel_hint()
        super().action_leave()

    @on(SpotChosen)
    def choose(self, message: SpotChosen) -> None:
        """Act at a spot, ask which of several actions, or show why no action is possible."""
        if self._past is not None:
            self._return()
            return
        view = self.session.view()
        choices = view.choices_at(message.spot)
        chosen = [choice for choice in choices if choice.action == message.picked] or choices
        if len(chosen) == 1:
            if not self._questions.ask_before(view.revision, chosen[0]):
                self.session.act(chosen[0].action, view.revision, self.show_refusal)
        elif chosen:
            self._questions.ask(view, chosen)
        elif message.spot.kind in ("card", "site") and not view.is_over and self.is_own_turn():
            self._reader.ask_why(self.session, message.spot, self.say)

    def action_type_action(self) -> None:
        """Open the box for typing an action."""
        if self.is_own_turn():
            view = self.session.view()
            self._questions.ask(view, view.choices)

    def show_refusal(self, text: str) -> None:
        """Show why an action was refused."""
        self.say(as_notice(text))

    def action_why_not(self) -> None:
        """Show why no action is possible at the cursor, or the possible action."""
        if self.table.cursor is not None and self.is_own_turn():
            self._reader.ask_why(self.session, self.table.cursor, self.say)

    def is_own_turn(self) -> bool:
        """Return whether the viewer is to act; show a message if not."""
        if self.session.view().choices:
            return True
        self.say(NOT_YOUR_TURN)
        return False

    def action_undo(self) -> None:
        """Undo the viewer's last action, or show why that is impossible."""
        self.session.undo(self.say)

    def action_skip(self) -> None:
        """End a search early, skip the pace, or retry after a fault."""
        if self.hint_panel.is_thinking:
            self.session.send(AskHint(request="hurry"))
        else:
            self.session.request("skip")

    def action_hint(self) -> None:
        """Ask for a hint, or hide it."""
        if self.hint_panel.is_open:
            self._close_hint()
        elif self.is_own_turn():
            self.hint_panel.wait()
            self.session.hint(self.show_hint)

    def action_pause(self) -> None:
        """Pause or resume the bots."""
        is_paused = self.session.status().is_paused
        self.session.request("resume" if is_paused else "pause")
        if self.session.view().choices:
            self.say(GOES_ON_LATER if is_paused else PAUSES_LATER)

    def action_pace(self, sign: int) -> None:
        """Change the pace of the bots by a step."""
        pace = changed_pace(self.session.status().pace, sign)
        self.session.send(SetPace(seconds=pace))
        self.say(f"Bots take at least {pace} s for each action.")

    def action_forced(self) -> None:
        """Toggle whether turns with a single choice are played automatically."""
        is_on = not self.session.table.is_forced
        self.session.send(PlayForced(is_on=is_on))
        self.say(TURNS_PLAYED if is_on else TURNS_LEFT)

    def action_unseen(self) -> None:
        """Show the unseen cards in a box; on a wide terminal, toggle their pane."""
        if self.app.size.width >= UNSEEN_FROM:
            self._is_unseen_hidden = not self._is_unseen_hidden
            self.refresh_table()
            return
        self.show_text("\n".join(self.session.table.unseen) or ALL_SEEN, "Cards not seen yet")

    def action_back(self) -> None:
        """Close the hint and return to the current table."""
        self._close_hint()
        self.refresh_table()

    @override
    def show_step(self, step: int) -> None:
        turn = f"STEP {step}" if step else THE_DEAL
        self.session.view_at(step, partial(self.draw_past, text=PAST_GOES, turn=turn, until=step))

    def on_key(self, event: events.Key) -> None:
        """Return from a step of the log to the current table, or go on from a beat."""
        if self._past is not None:
            event.stop()
            if not (self._beats.is_showing and key_repeat(self.app).why_ignored):
                self._return()

    def _return(self) -> None:
        """Return to the current table from a past step, or go on from a beat."""
        if not self._beats.go_on():
            self.refresh_table()


class ActionQuestions:
    """Asks which of several actions to take, and to confirm an action that cannot be undone.

    `confirms` says which actions need confirmation.
    """

    def __init__(self, screen: PlayScreen, confirms: Confirming) -> None:
        self._screen = screen
        self._confirms = confirms

    def ask_before(self, revision: int, choice: ChoiceView) -> bool:
        """Ask for the amount or the confirmation of an action; return whether it needs either.

        The action is taken after the answers.
        """
        if choice.amounts is not None:
            self._ask_amount(revision, choice, choice.amounts)
            return True
        needs_confirmation = {
            "always": not choice.can_undo,
            "costly": choice.tone == "costly",
            "never": False,
        }[self._confirms]
        if needs_confirmation:
            self._confirm(revision, choice)
        return needs_confirmation

    def ask(self, view: View, choices: Sequence[ChoiceView]) -> None:
        """Open the box for typing or choosing one of the actions."""
        screen = self._screen
        read = partial(read_choice, view)
        box = ActionBox(choices, read, screen.session.why_not, screen.glyphs.texts)

        screen.app.push_screen(box, partial(self._take, view.revision))

    def _take(self, revision: int, choice: ChoiceView | None) -> None:
        """Take a chosen action, after questions; None means that the person chose nothing."""
        if choice is not None and not self.ask_before(revision, choice):
            self._screen.session.act(choice.action, revision, self._screen.show_refusal)

    def _ask_amount(self, revision: int, choice: ChoiceView, amounts: AmountRange) -> None:
        def take(amount: int | None) -> None:
            if amount is not None:
                self._take(revision, choice.with_amount(amount))

        self._screen.app.push_screen(AmountBox(choice, amounts, self._screen.glyphs.texts), take)

    def _confirm(self, revision: int, choice: ChoiceView) -> None:
        """Ask to confirm a choice, with its consequence; enter confirms, escape cancels."""
        screen, text = self._screen, self._screen.glyphs.texts.text

        def take(pressed: str | None) -> None:
            if pressed == "act":
                screen.session.act(choice.action, revision, screen.show_refusal)

        dialog = ConfirmDialog(text(capitalized(choice.name)), FINAL)
        # A server answers later.
        screen.session.consequence(
            choice.action, lambda answer: dialog.show_text(text(sentences(answer, FINAL)))
        )
        screen.app.push_screen(dialog, take)


class RoundSummaries:
    """Shows the summaries of completed rounds over the table at their end."""

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen

    def stop(self) -> bool:
        """Return whether summaries are unread; show them if so."""
        screen, model = self._screen, self._screen.session
        summaries = model.unread_summaries()
        if not summaries:
            return False
        # The help may be in front of the dialog.
        if not any(isinstance(shown, SummaryDialog) for shown in screen.app.screen_stack):
            step = max((line.step for line in model.log() if line.summary), default=0)
            # The current view may already show the next round.
            title = summaries[-1].title
            model.view_at(step, partial(self._draw_round_end, step, title))
            columns, texts = screen.app.size.width, screen.glyphs.texts
            dialog = SummaryDialog(summaries, texts, columns, on_help=screen.action_help)
            screen.app.push_screen(dialog, self._read)
        return True

    def _draw_round_end(self, step: int, title: str, view: View) -> None:
        """Draw the end of a round without prompt and status: its step may begin the next one."""
        past = msgspec.structs.replace(view, prompt="", status="")
        self._screen.draw_past(past, "", turn=round_end_tag(title), until=step)

    def _read(self, button: str | None) -> None:
        if button == "leave":
            self._screen.action_leave()
        else:
            self._screen.session.request("read")
            self._screen.refresh_table()


class GameEnd(Protocol):
    """What a table shows when its game is over, and the replay before and after that."""

    def show_result(self, reader: TableReader) -> None:
        """Show the result of the finished game."""

    def open_replay(self, reader: TableReader) -> None:
        """Open the replay of the game up to now."""


class TableScreen(PlayScreen):
    """Plays the game of a host to its end; `build_end` builds what is shown then, at this screen.

    The end is passed in, because it may open another table.
    """

    def __init__(
        self,
        host: Host,
        glyphs: TableGlyphs,
        build_end: "Callable[[TableScreen, Host, TableGlyphs], GameEnd]",
        preferences: Preferences = DEFAULTS,
    ) -> None:
        super().__init__(glyphs, preferences, says_you=len(host.people) == 1)
        self.host, self.greeting = host, greeting_of(host)
        self._game_end = build_end(self, host, glyphs)
        self._terminal = SharedTerminal(host)
        self._handover = Handover(
            self, self._terminal, self._prepare_handover, self.refresh_table, self.action_leave
        )

    @property
    @override
    def session(self) -> TableModel:
        return self._terminal.model

    @override
    def on_mount(self) -> None:
        super().on_mount()
        # Later than the model, which fetches the table again after each change.
        self.host.subscribe(self.on_change)
        # After the first frame, because starting the processes of bots takes time.
        self.call_after_refresh(self.host.begin)

    @override
    def works(self, key: Key) -> bool:
        if key.id == "table.hide":
            return self._terminal.is_shared and not self.session.view().is_over
        return super().works(key)

    @override
    def is_covered(self) -> bool:
        return self._handover.is_needed()

    def _prepare_handover(self) -> None:
        """Remove what the previous person may have left open: the log, a detail, a hint."""
        while self.app.screen is not self:
            self.app.pop_screen()
        self.table.clear()
        self._close_hint()

    def action_hide(self) -> None:
        """Hide the table from others in the room; a key shows it again."""
        self._terminal.cover()

    def action_replay(self) -> None:
        """Open the replay of the game up to now; a finished game's replay leads to its result."""
        self._game_end.open_replay(self.session)

    def action_result(self) -> None:
        """Show the result again."""
        self._show_result()

    @override
    def _show_result(self) -> None:
        self._game_end.show_result(self.session)
