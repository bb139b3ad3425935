"""The box for an amount: a number field with arrows, and a button for each shortcut."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Static
from typing_extensions import override

from cardhub.base.errors.quoting import printable
from cardhub.base.writing import capitalized
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.view import AmountRange, ChoiceView

# Page up and down change the amount by this share of the range.
SHARE = 10
HOW = "Digits or arrows set the amount, tab and letters choose a shortcut, enter takes it."
OUT_OF_RANGE = "The amount must be from {low} to {high}."
NOT_A_STEP = "The amount must be from {low} to {high}, in steps of {step}."
LETTERS = "abcdefghi"


class NumberField(Input):
    """An input for digits, which leaves letters to the shortcuts."""

    @override
    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isdecimal()

    def begin(self, digit: str) -> None:
        """Replace the number by a digit, and take the focus for the next ones."""
        self.value, self.cursor_position = digit, len(digit)
        # The focus must not select the digit, because the next one would replace it.
        self.select_on_focus = False
        self.focus()

    @override
    def _on_blur(self, event: events.Blur) -> None:
        super()._on_blur(event)
        self.select_on_focus = True


class AmountBox(Dialog[int]):
    """Asks for an amount of a choice; the result is the amount."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,right", "change(1)", "More", show=False, id="amount.more", priority=True),
        Binding("down,left", "change(-1)", "Less", show=False, id="amount.less", priority=True),
        Binding("pageup", "leap(1)", "Much more", show=False, id="amount.leap", priority=True),
        Binding("pagedown", "leap(-1)", "Much less", show=False, id="amount.drop", priority=True),
        *(Binding(k, f"shortcut({n})", show=False, priority=True) for n, k in enumerate(LETTERS)),
        # Overrides the input, which would copy its text.
        Binding("ctrl+c", "app.help_quit", show=False, id="amount.leave", priority=True),
    ]
    DEFAULT_CSS = """
    AmountBox { align: center bottom; }
    AmountBox > .box { height: auto; max-height: 12; }
    AmountBox Input { border: none; height: 1; padding: 0; width: 10; }
    AmountBox Static { width: 100%; height: auto; }
    AmountBox .title { text-style: bold; }
    AmountBox .keys { height: auto; margin-top: 0; align-horizontal: left; }
    AmountBox .keys Button { margin: 0 2 0 0; }
    AmountBox .error { color: $text-error; }
    """

    def __init__(self, choice: ChoiceView, amounts: AmountRange, glyphs: Glyphs) -> None:
        super().__init__()
        self._choice = choice
        self._amounts = amounts
        self._glyphs = glyphs

    @override
    def compose(self) -> ComposeResult:
        text = self._glyphs.text
        with Vertical(classes="box"):
            yield Static(text(capitalized(printable(self._choice.name))), classes="title")
            yield Static(HOW)
            # The first digit replaces the least amount.
            yield NumberField(str(self._amounts.low), type="integer", compact=True)
            with Horizontal(classes="keys"):
                for number, (name, amount) in enumerate(self._amounts.shortcuts):
                    label = text(printable(f"{LETTERS[number]} {name} {amount}"))
                    yield Button(label, id=f"shortcut-{number}", compact=True)
            yield Static("", classes="error", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Write a digit into the field if the focus is on a shortcut."""
        field = self.query_one(NumberField)
        if event.character and event.character.isdecimal() and not field.has_focus:
            event.stop()
            field.begin(event.character)

    @on(Input.Submitted)
    def take_typed(self, event: Input.Submitted) -> None:
        """Take the amount, or show which amounts are legal."""
        if self.is_repeated_key():
            return
        amount = self._typed()
        if amount in self._amounts.amounts:
            self.dismiss(amount)
            return
        text = NOT_A_STEP if self._amounts.step > 1 else OUT_OF_RANGE
        low, high, step = self._amounts.low, self._amounts.high, self._amounts.step
        self.query_one(".error", Static).update(text.format(low=low, high=high, step=step))

    @on(Button.Pressed)
    def take_shortcut(self, event: Button.Pressed) -> None:
        """Write the amount of the pressed shortcut into the field."""
        self.action_shortcut(int((event.button.id or "").removeprefix("shortcut-")))

    def action_shortcut(self, number: int) -> None:
        """Write the amount of a shortcut into the field."""
        if number < len(self._amounts.shortcuts):
            self._put(self._amounts.shortcuts[number][1])

    def action_change(self, steps: int) -> None:
        """Change the amount by steps, within the range."""
        amounts = self._amounts.amounts
        at = (self._typed() - amounts.start) // amounts.step + steps
        self._put(amounts[min(max(at, 0), len(amounts) - 1)])

    def action_leap(self, sign: int) -> None:
        """Change the amount by a tenth of the range."""
        self.action_change(sign * max(len(self._amounts.amounts) // SHARE, 1))

    def _typed(self) -> int:
        """Return the number in the field, or the least amount if it has none."""
        text = self.query_one(Input).value
        return int(text) if text.isdecimal() else self._amounts.low

    def _put(self, amount: int) -> None:
        field = self.query_one(Input)
        field.value = str(amount)
        field.action_select_all()
        field.focus()
        self.query_one(".error", Static).update("")
