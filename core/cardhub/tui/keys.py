"""Keys of the table: each is declared once, for bindings, footer, palette and help."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from textual.binding import Binding, BindingType


class Key(NamedTuple):
    """A key of a screen or widget, and its action.

    `keys` are Textual's names of keys, `shown` the name for people; `label` is for the footer,
    `text` for help and palette. `rank` orders the footer by importance: the least is left out last,
    and 0 is never shown there. A key without effect is dimmed there, or hidden if `hides`.
    """

    id: str
    keys: str
    shown: str
    action: str
    label: str
    text: str
    rank: int = 0
    hides: bool = False

    @property
    def binding(self) -> Binding:
        """Textual's binding; people can assign other keys by its id."""
        return Binding(
            self.keys,
            self.action,
            self.label.capitalize(),
            show=False,
            key_display=self.shown,
            id=self.id,
        )


CURSOR_KEYS = (
    Key("board.left", "left,h", "← h", "go('left')", "left", "move the cursor left"),
    Key("board.right", "right,l", "→ l", "go('right')", "right", "move the cursor right"),
    Key("board.up", "up,k", "↑ k", "go('up')", "up", "move the cursor up"),
    Key("board.down", "down,j", "↓ j", "go('down')", "down", "move the cursor down"),
    Key("board.first", "home", "home", "first", "first", "go to the first place of the cursor"),
    Key("board.last", "end", "end", "last", "last", "go to the last place of the cursor"),
    Key("board.region", "tab", "tab", "region(1)", "region", "go to the next region"),
    Key(
        "board.before",
        "shift+tab",
        "⇧tab",
        "region(-1)",
        "region before",
        "go to the region before",
    ),
    Key("board.next", "n", "n", "legal(1)", "next", "go to the next legal choice"),
    Key("board.previous", "N", "N", "legal(-1)", "previous", "go to the legal choice before"),
    Key("board.choose", "enter,space", "enter", "choose", "act", "act here, or read why not"),
    Key("board.inspect", "e", "e", "inspect", "all", "read the whole text of this place"),
    Key("board.log_up", "pageup", "pgup", "scroll_log(8)", "log up", "scroll the log up"),
    Key("board.log_down", "pagedown", "pgdn", "scroll_log(-8)", "log down", "scroll the log down"),
)
NUMBER_KEYS = tuple(
    Key(f"board.pick{n}", str(n), str(n), f"pick('{n}')", f"{n}", f"press button {n}")
    for n in range(10)
)
TABLE_KEYS = (
    Key("table.help", "question_mark,f1", "?", "help", "help", "help: now, rules, cards, keys", 1),
    Key("table.type", "colon", ":", "type_action", "type", "type an action", 3),
    Key("table.hint", "i", "i", "hint", "hint", "a hint of a bot; again to hide it", 4),
    Key("table.why", "w", "w", "why_not", "why not", "why it cannot be done here, or how", 5),
    Key("table.undo", "u", "u", "undo", "undo", "take your last action back", 6),
    Key("table.skip", "full_stop", ".", "skip", "skip", "let bots act at once until your turn", 7),
    Key("table.log", "L", "L", "whole_log", "log", "the whole log, or back", 8),
    Key("table.replay", "r", "r", "replay", "replay", "replay the game so far", 9),
    Key("table.result", "v", "v", "result", "result", "the result of the finished game", 3, True),
    Key("table.pause", "p", "p", "pause", "pause", "pause the bots, or go on", 10),
    Key("table.faster", "plus,equals_sign", "+", "pace(-1)", "faster", "bots act faster", 12),
    Key("table.slower", "minus", "-", "pace(1)", "slower", "bots act slower", 13),
    Key("table.unseen", "s", "s", "unseen", "unseen", "list the cards that have not been seen", 11),
    Key("table.size", "Z", "Z", "card_size", "size", "cards: automatic, small, large", 14),
    Key("table.forced", "F", "F", "forced", "forced", "play turns with one choice at once", 15),
    Key("table.hide", "H", "H", "hide", "hide", "hide the table; a key shows it again", 16),
    Key("table.leave", "q,ctrl+q", "q", "leave", "leave", "leave; the game is saved", 2),
    Key("table.back", "escape", "esc", "back", "back", "back to the table"),
)


def bindings(keys: Iterable[Key]) -> list[BindingType]:
    """Return Textual's bindings of keys."""
    return [key.binding for key in keys]


def key_lines(keys: Iterable[Key]) -> Iterator[str]:
    """Yield a line of help for each key."""
    for key in keys:
        yield f"{key.shown:<8} {key.text}"


def fitting(keys: Iterable[Key], width: int) -> list[Key]:
    """Return the keys of a footer of some width, in their order, the important ones at least."""
    chosen: list[Key] = []
    order = [key for key in keys if key.rank]
    for key in sorted(order, key=lambda key: key.rank):
        if 1 + sum(footer_width(one) for one in (*chosen, key)) <= width:
            chosen.append(key)
    return [key for key in order if key in chosen]


def footer_width(key: Key) -> int:
    """Return the cells of a key in the footer: key, label and a gap of two."""
    return len(key.shown) + 1 + len(key.label) + 2


def key_at(keys: Iterable[Key], x: int) -> Key | None:
    """Return the key at a column of the footer."""
    start = 1
    for key in keys:
        if start <= x < start + footer_width(key) - 2:
            return key
        start += footer_width(key)
    return None
