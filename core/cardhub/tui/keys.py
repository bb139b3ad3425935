"""All keys of tables, results and replays, declared once; the footer; and repeats of held keys."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message


class Key(NamedTuple):
    """A key of a screen or widget, and its action.

    `keys`: Textual's names of the keys; `shown`: the name for people; `label`: the text in the
    footer; `text`: the text in help and palette. `rank`: the importance in the footer, 1 being the
    highest; keys with 0 are not shown there. The footer dims a key without effect, or hides it if
    `hides` is True. `short`: the label in a narrow footer, by default the `label`.
    """

    id: str
    keys: str
    shown: str
    action: str
    label: str
    text: str
    rank: int = 0
    hides: bool = False
    short: str = ""

    @property
    def shortened(self) -> "Key":
        """The key with its short label in place of the label."""
        return self._replace(label=self.short or self.label)

    @property
    def binding(self) -> Binding:
        """The binding for Textual; people can assign other keys by its id."""
        return Binding(
            self.keys,
            self.action,
            self.label.capitalize(),
            show=False,
            key_display=self.shown,
            id=self.id,
        )


# In the footer only while a text is cut.
INSPECT_KEY = Key(
    "board.inspect", "e", "e", "inspect", "read all", "read the whole text of this place", 3
)
CURSOR_KEYS = (
    Key("board.left", "left,h", "← h", "go('left')", "left", "move the cursor left"),
    Key("board.right", "right,l", "→ l", "go('right')", "right", "move the cursor right"),
    Key("board.up", "up,k", "↑ k", "go('up')", "up", "move the cursor up"),
    Key("board.down", "down,j", "↓ j", "go('down')", "down", "move the cursor down"),
    Key("board.first", "home", "home", "first", "first", "go to the first place of the cursor"),
    Key("board.last", "end", "end", "last", "last", "go to the last place of the cursor"),
    Key("board.region", "tab", "tab", "region(1)", "region", "go to the next part of the table"),
    Key(
        "board.before",
        "shift+tab",
        "⇧tab",
        "region(-1)",
        "previous region",
        "go to the previous part of the table",
    ),
    Key("board.next", "n", "n", "legal(1)", "next", "go to the next legal choice"),
    Key("board.previous", "N", "N", "legal(-1)", "previous", "go to the previous legal choice"),
    Key(
        "board.choose", "enter,space", "enter", "choose", "act", "act here, or read why you cannot"
    ),
    INSPECT_KEY,
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
    Key("table.hint", "i", "i", "hint", "hint", "ask a bot for a hint, or hide the hint", 4),
    Key("table.numbers", "I", "I", "hint_numbers", "numbers", "show the numbers behind a hint"),
    Key(
        "table.why",
        "w",
        "w",
        "why_not",
        "why not",
        "why you cannot act here, or what you can do",
        5,
        short="why",
    ),
    Key("table.undo", "u", "u", "undo", "undo", "take your last action back", 6),
    Key(
        "table.skip", "full_stop", ".", "skip", "skip", "skip to your turn: bots act immediately", 7
    ),
    Key("table.log", "L", "L", "whole_log", "log", "show the whole log", 8),
    Key("table.replay", "r", "r", "replay", "replay", "replay the game so far", 9),
    Key(
        "table.result",
        "v",
        "v",
        "result",
        "result",
        "show the result of the finished game",
        3,
        True,
    ),
    Key("table.pause", "p", "p", "pause", "pause", "pause the bots, or let them continue", 10),
    Key("table.faster", "plus,equals_sign", "+", "pace(-1)", "faster", "make the bots faster", 12),
    Key("table.slower", "minus", "-", "pace(1)", "slower", "make the bots slower", 13),
    Key("table.unseen", "s", "s", "unseen", "unseen", "list the cards not seen yet", 11),
    Key("table.size", "Z", "Z", "card_size", "size", "change the size of the cards", 14),
    Key(
        "table.forced",
        "F",
        "F",
        "forced",
        "forced",
        "have turns with only one choice played for you",
        15,
    ),
    Key("table.hide", "H", "H", "hide", "hide", "hide the table until you press a key", 16),
    Key("table.leave", "q,ctrl+q", "q", "leave", "leave", "leave; the game is saved", 2),
    Key("table.back", "escape", "esc", "back", "back", "back to the table"),
)

# The keys of a table that have no effect after the game.
GAME_KEY_IDS = ("table.faster", "table.slower", "table.forced")


def bindings(keys: Iterable[Key]) -> list[BindingType]:
    """Return Textual's bindings of keys."""
    return [key.binding for key in keys]


def key_lines(keys: Iterable[Key]) -> Iterator[str]:
    """Yield a line of help for each key."""
    for key in keys:
        yield f"{key.shown:<8} {key.text}"


def fitting(keys: Iterable[Key], width: int) -> list[Key]:
    """Return the most important keys that fit a footer of `width` columns, in their order.

    Labels are shortened before a key is left out, those of the most important keys last.
    """
    order = [key for key in keys if key.rank]
    ranked = sorted(order, key=lambda key: key.rank)
    room = width - 1
    chosen: dict[str, Key] = {}
    for key in ranked:
        if footer_width(key.shortened) <= room:
            chosen[key.id] = key.shortened
            room -= footer_width(key.shortened)
    for key in ranked:
        longer = footer_width(key) - footer_width(key.shortened)
        if key.id in chosen and longer <= room:
            chosen[key.id] = key
            room -= longer
    return [chosen[key.id] for key in order if key.id in chosen]


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


RESULT_KEYS = (
    Key(
        "result.again",
        "enter",
        "enter",
        "again",
        "play again",
        "play again with a new deal",
        2,
        short="again",
    ),
    Key(
        "result.same",
        "s",
        "s",
        "same_deal",
        "same deal, next seat",
        "play the same deal from the next seat",
        6,
        short="same deal",
    ),
    Key("result.replay", "r", "r", "replay", "replay", "replay the game", 5),
    Key(
        "result.analyse",
        "a",
        "a",
        "analyse",
        "review my moves",
        "let a bot find your costliest moves, at most three",
        3,
        short="review",
    ),
    Key(
        "result.practise1",
        "1",
        "1",
        "practise(1)",
        "try again",
        "choose again at the first of your costliest moves",
        2,
    ),
    *(
        Key(
            f"result.practise{number}",
            f"{number}",
            f"{number}",
            f"practise({number})",
            "try again",
            f"choose again at move {number} of your costliest moves",
        )
        for number in (2, 3)
    ),
    Key(
        "result.export",
        "e",
        "e",
        "export",
        "export",
        "save the result as text next to the record",
        8,
    ),
    Key("result.table", "v,escape", "v", "table", "table", "back to the table", 7),
    Key("result.leave", "q,ctrl+q", "q", "leave", "home", "leave", 1),
    Key("result.help", "question_mark,f1", "?", "help", "help", "help: the keys of the result", 4),
    Key("result.down", "down,j", "↓", "scroll(1)", "more", "scroll down", 2),
    Key("result.up", "up,k", "↑", "scroll(-1)", "up", "scroll up"),
    Key("result.page", "pagedown,space", "pgdn", "scroll(10)", "page", "scroll a page down"),
    Key("result.page_up", "pageup", "pgup", "scroll(-10)", "page up", "scroll a page up"),
    Key("result.first", "home", "home", "scroll(-10000)", "first", "the first row"),
    Key("result.last", "end", "end", "scroll(10000)", "last", "the last row"),
)


# Keys of the seats' viewpoints, by seat.
SEAT_KEYS = "123456789"
ALL_KEY, PUBLIC_KEY = "0", "p"

VIEW_KEYS = tuple(
    Key(
        f"replay.view{key}", key, key, f"view({int(key) - 1})", key, f"see the game from seat {key}"
    )
    for key in SEAT_KEYS
)
LEAVE = Key("replay.leave", "q,ctrl+q", "q", "leave", "leave", "leave the replay", 1)
REPLAY_KEYS = (
    Key("replay.help", "question_mark,f1", "?", "help", "help", "help: rules, cards, keys", 5),
    Key("replay.forward", "right,l,full_stop", "→", "step(1)", "step", "one step forward", 2),
    Key("replay.back", "left,h", "←", "step(-1)", "back", "one step back", 3),
    Key(
        "replay.chapter",
        "right_square_bracket",
        "]",
        "chapter(1)",
        "next part",
        "the next part",
        10,
        short="next",
    ),
    Key(
        "replay.part",
        "left_square_bracket",
        "[",
        "chapter(-1)",
        "previous part",
        "the previous part",
        11,
        short="previous",
    ),
    Key("replay.first", "home", "home", "go(0)", "start", "the beginning", 12),
    Key("replay.last", "end", "end", "go(-1)", "end", "the end", 13),
    Key("replay.play", "space", "space", "play", "play", "play automatically, or stop", 4),
    Key("replay.faster", "plus,equals_sign", "+", "pace(-1)", "faster", "play faster", 14),
    Key("replay.slower", "minus", "-", "pace(1)", "slower", "play slower", 15),
    Key("replay.all", ALL_KEY, ALL_KEY, "view(-1)", "all", "see all cards", 16),
    Key("replay.public", PUBLIC_KEY, "p", "view(-2)", "public", "see the game as a spectator", 17),
    Key("replay.find", "slash", "/", "find", "find", "find a text in the log", 8),
    Key("replay.on", "o", "o", "play_on", "play on", "play on from here in a new game", 5),
    Key(
        "replay.bot",
        "i",
        "i",
        "ask_bot",
        "bot's choice",
        "what a bot would do here",
        6,
        short="bot",
    ),
    Key("replay.other", "c", "c", "ask_other", "compare", "what another bot would do here", 18),
    Key("replay.note", "m", "m", "note", "note", "write a note on this step", 7),
    Key("replay.page", "w", "w", "page", "page", "save the replay as a page for a browser", 22),
    Key("replay.result", "v", "v", "result", "result", "show the result of the game", 19),
    Key("replay.log", "L", "L", "whole_log", "log", "show the whole log", 20),
    Key("replay.size", "Z", "Z", "card_size", "size", "change the size of the cards", 21),
    Key("replay.escape", "escape", "esc", "back", "back", "close the bot's choice"),
    LEAVE,
)
# Keys with another meaning in a game that is watched.
_LIVE = {
    "replay.forward": Key(
        "replay.forward", "right,l", "→", "step(1)", "step", "one step or action forward", 2
    ),
    "replay.play": Key(
        "replay.play", "space", "space", "play", "pause", "pause, or continue to the present", 4
    ),
    "replay.last": Key("replay.last", "end", "end", "go(-1)", "present", "back to the present", 5),
    "replay.leave": LEAVE._replace(text="leave; the game is saved"),
}
SKIP = Key(
    "watch.skip", "full_stop", ".", "skip", "skip", "skip to the end: bots act immediately", 6
)
WATCH_KEYS = (*(_LIVE.get(key.id, key) for key in REPLAY_KEYS), SKIP)


# The most seconds between the repeats of a key that is held down: a person who taps it is slower.
REPEAT_EVERY = 0.15
# The presses at this rate from which a key is held down: two quick presses are two presses.
REPEATS = 4
# The seconds after a new kind of decision, or a beat, in which nobody can have read it.
REACTION = 0.3
HELD = "A key that you hold down does nothing: press it again."
TOO_SOON = "The table has just changed: press the key again."


class KeyRepeat:
    """Detects keys that are held down by the timing of their repeats, and keys that come too soon.

    `is_repeated`: the last key came at the rate of repeats; `is_held`: so did the keys before it.
    """

    def __init__(self) -> None:
        self.is_held = False
        self.is_repeated = False
        self._key = ""
        self._pressed_at = 0.0
        self._in_a_row = 0
        self._shown_at = float("-inf")

    def note(self, event: events.Key) -> None:
        """Record a key before its action runs."""
        # The time of arrival from the terminal: while the table is busy, repeats wait in a queue.
        is_repeat = event.key == self._key and event.time - self._pressed_at < REPEAT_EVERY
        self._in_a_row = self._in_a_row + 1 if is_repeat else 1
        self.is_repeated = is_repeat
        self.is_held = self._in_a_row >= REPEATS
        self._key, self._pressed_at = event.key, event.time

    def await_reader(self) -> None:
        """Note that a decision or a beat is shown that the person has yet to read."""
        self._shown_at = Message().time  # by the clock of keys

    @property
    def why_ignored(self) -> str:
        """Why the last key must not act at the table; empty if it may.

        A key that comes too soon was meant for the pause or the notice before the decision.
        """
        if self.is_held:
            return HELD
        return TOO_SOON if self._pressed_at < self._shown_at + REACTION else ""


def key_repeat(app: App[Any]) -> KeyRepeat:
    """Return the app's record of keys; an app without one ignores no keys."""
    repeat = getattr(app, "key_repeat", None)
    return repeat if isinstance(repeat, KeyRepeat) else KeyRepeat()


class DecisionWatch:
    """Notes that the person at a table has yet to read: after a pause, a box, or in a new phase.

    Before the first decision no key comes too soon, because the person has opened the table.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._phase: str | None = None

    def uncover(self, app: App[Any]) -> None:
        """Note that the table is in front: it is opened, or later a box before it is closed."""
        if self._is_open:
            key_repeat(app).await_reader()
        self._is_open = True

    def show(self, app: App[Any], phase: str, *, is_after_pause: bool) -> None:
        """Note that a decision of a phase of the game is shown."""
        if is_after_pause or self._phase not in (None, phase):
            key_repeat(app).await_reader()
        self._phase = phase


def is_held(app: App[Any]) -> bool:
    """Return whether the key of the current action is held down; a held key must not act."""
    return key_repeat(app).is_held


def is_repeated(app: App[Any]) -> bool:
    """Return whether the key came too soon to answer a box that its last press opened."""
    return key_repeat(app).is_repeated
