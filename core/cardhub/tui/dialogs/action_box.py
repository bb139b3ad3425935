"""The box for typing an action, or choosing one of several."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from typing_extensions import override

from cardhub.base.errors.quoting import folded, printable
from cardhub.base.writing import first_few
from cardhub.play.table_commands import LONGEST_SUBJECT
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.view import ChoiceView

# Returns the action that a typed text means, or why it does not mean an action.
Read = Callable[[str], int | str]
# Asks why a typed text is not legal; the callback gets the reason.
AskWhy = Callable[[str, Callable[[str], None]], None]


class ActionBox(Dialog[ChoiceView]):
    """Asks for an action, or for a range of amounts; the typed text filters the list of actions.

    Enter takes the action marked by the arrow keys, the only action in the list, or the action that
    the text means. If the text is ambiguous, a message lists the actions that it could mean.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "mark(1)", "Next", show=False, id="box.down", priority=True),
        Binding("up", "mark(-1)", "Previous", show=False, id="box.up", priority=True),
        # Overrides the input, which would copy its text.
        Binding("ctrl+c", "app.help_quit", show=False, id="box.leave", priority=True),
        Binding("tab", "complete", "Complete", show=False, id="box.complete", priority=True),
    ]
    DEFAULT_CSS = """
    ActionBox { align: center bottom; }
    ActionBox > .box { height: auto; max-height: 14; }
    ActionBox Input { border: none; height: 1; padding: 0; }
    ActionBox OptionList { border: none; height: auto; max-height: 8; padding: 0; }
    ActionBox .error { color: $text-error; height: auto; }
    """

    def __init__(
        self, choices: Sequence[ChoiceView], read: Read, ask_why: AskWhy, glyphs: Glyphs
    ) -> None:
        super().__init__()
        self._read = read
        self._ask_why = ask_why
        self._glyphs = glyphs
        self._is_marked_by_hand = False
        # The prompts of options are the keys, so names are made printable once, here.
        self._choices = {glyphs.text(printable(c.name)): c for c in choices}

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static("Type an action; tab completes, enter takes it, escape goes back:")
            yield Input(placeholder="action", select_on_focus=False, compact=True)
            yield OptionList(*self._options(""), markup=False, compact=True)
            yield Static("", classes="error", markup=False)

    def on_mount(self) -> None:
        """Mark the first action."""
        # The input keeps the focus to accept typing at any time; bindings move the mark.
        self.query_one(OptionList).can_focus = False
        self.query_one(OptionList).highlighted = 0

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Filter the list by the typed text."""
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(self._options(event.value))
        options.highlighted = 0 if options.option_count else None
        self._is_marked_by_hand = False
        self._say("")

    @on(Input.Submitted)
    def take_typed(self, event: Input.Submitted) -> None:
        """Take the marked action, or the action that the text means, or show an error."""
        if self.is_repeated_key():
            return
        name, text = self._marked(), event.value
        action = self._read(text) if text.strip() else ""
        typed = None if isinstance(action, str) else self._find(action)
        if typed is not None and not self._is_marked_by_hand:
            self.dismiss(typed)
            return
        is_only = self.query_one(OptionList).option_count == 1
        if name is not None and (is_only or self._is_marked_by_hand or not text.strip()):
            self.dismiss(self._choices[name])
            return
        if isinstance(action, str):
            self._refuse(text, action)
        else:
            self._say(f"There is no action {text.strip()!r} here.")

    def _find(self, action: int) -> ChoiceView | None:
        """Return the listed choice of an action, or None if the list does not have it."""
        choices = (choice.choice_of(action) for choice in self._choices.values())
        return next(filter(None, choices), None)

    def _refuse(self, text: str, reason: str) -> None:
        """Show the actions that a text could mean, or why it means none, as far as it is known."""
        listed = [str(option.prompt) for option in self._options(text)]
        if listed:
            self._say(f"{text.strip()!r} could be {first_few(listed)}")
            return

        def show(why: str) -> None:
            if self.is_attached and self.query_one(Input).value == text:
                self._say(why)

        self._say(reason)
        if len(text) <= LONGEST_SUBJECT:
            self._ask_why(text, show)

    def _say(self, text: str) -> None:
        self.query_one(".error", Static).update(self._glyphs.text(printable(text)))

    @on(OptionList.OptionSelected)
    def take_clicked(self, event: OptionList.OptionSelected) -> None:
        """Take the clicked action."""
        self.dismiss(self._choices[str(event.option.prompt)])

    def action_mark(self, step: int) -> None:
        """Mark the next or previous action of the list."""
        options = self.query_one(OptionList)
        if options.option_count:
            self._is_marked_by_hand = True
            # Up from the first action leads to the last one, because lists are short.
            options.highlighted = ((options.highlighted or 0) + step) % options.option_count

    def action_complete(self) -> None:
        """Write the marked action into the input; of a range, the words before its amount."""
        name = self._marked()
        if name is not None:
            box = self.query_one(Input)
            if self._choices[name].amounts is not None:
                name = f"{self._choices[name].verb} "
            box.value = name
            box.cursor_position = len(name)

    def _marked(self) -> str | None:
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return None
        return str(options.get_option_at_index(options.highlighted).prompt)

    def _options(self, typed: str) -> list[Option]:
        """Return an option for each matching action, in the order of the hand.

        Actions whose names begin with `typed` come first.
        """
        text = folded(typed)
        begins = [name for name in self._choices if name.casefold().startswith(text)]
        words = text.split()
        fits = [name for name in self._choices if _matches(name.casefold().split(), words)]
        return [Option(name) for name in dict.fromkeys(begins + fits)]


def _matches(parts: list[str], words: list[str]) -> bool:
    """Return whether the words are prefixes of parts in the same order: `r14` or `l r14`."""
    remaining = iter(parts)  # shared, so each word is searched for after the previous match
    return all(any(part.startswith(word) for part in remaining) for word in words)
