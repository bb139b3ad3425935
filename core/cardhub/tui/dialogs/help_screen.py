"""Help: the keys, and the rules of the game."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static
from typing_extensions import override

from cardhub.errors.printable import printable
from cardhub.tui.dialogs.dialog import Dialog

KEYS = """\
# Keys

```
arrows, h j k l      move the cursor
n                    go to the next legal choice, marked [ ]
enter, space, click  play it, or read its whole text
e                    read the whole text
1 to 9               press the button with this number
:                    type an action
i                    a hint of a bot; again to hide it
u                    take your last action back, if nobody else has
                     acted or learned anything since
.                    let the bots act at once until it is your turn;
                     a thinking bot plays its best action so far
p                    pause the bots, or go on; then . is one step
+ -                  let the bots act faster, slower
L                    the whole log, or back
tab                  from the table to the log and back
? F1                 this help
escape               back
q ctrl+q ctrl+c      leave; the game is saved and can be resumed
```

`>` stands before the player to act, `*` after cards that have changed since you acted.

"""


class HelpScreen(Dialog[None]):
    """Shows the keys and the rules."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,q", "close", "Back", show=False, id="help.close"),
        Binding("j", "scroll(1)", "Down", show=False, id="help.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="help.up"),
    ]
    DEFAULT_CSS = """
    HelpScreen > .box { height: 96%; }
    """

    def __init__(self, rules: str) -> None:
        super().__init__()
        self._rules = printable(rules, lines=True)

    @override
    def compose(self) -> ComposeResult:
        from rich.markdown import Markdown  # its import takes 5 % of the time to the first board

        with VerticalScroll(classes="box"):
            # Rich draws the text as one widget; Textual makes a widget of each paragraph: slow.
            yield Static(Markdown(f"{KEYS}\n{self._rules}", hyperlinks=False))
