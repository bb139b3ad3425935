"""Help: the keys, and the rules of the game."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from cardhub.errors.printable import printable
from cardhub.tui.dialogs.dialog import Dialog

KEYS = """\
# Keys

```
arrows, h j k l      move the cursor
n                    go to the next thing that is legal, marked [ ]
enter, space, click  act with it, or read all about it
e                    read all about it
1 to 9               press the button with this number
:                    type an action
i                    a hint: what a bot would do; again to be rid of it
u                    take your last action back, if nobody else has
                     acted or learned anything since
.                    let the bots act at once until it is your turn;
                     one that thinks does the best it has found
p                    let the bots wait, or go on; . then is one step
+ -                  let the bots act faster, slower
L                    the whole log, or back
tab                  from the table to the log and back
? F1                 this help
escape               back
q ctrl+q ctrl+c      leave; the game is saved and can be resumed
```

`>` stands before who is to act, `*` after what has changed since you acted.

"""


class HelpScreen(Dialog[None]):
    """Shows the keys and the rules, to be scrolled."""

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

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        from rich.markdown import Markdown  # takes a twentieth of the time to the first board

        with VerticalScroll(classes="box"):
            # Rich draws it as one widget; Textual would make one of every paragraph, which is slow.
            yield Static(Markdown(f"{KEYS}\n{self._rules}", hyperlinks=False))

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
