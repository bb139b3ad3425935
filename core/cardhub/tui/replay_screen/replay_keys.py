"""The keys of a replay, declared once for bindings, footer, palette and help."""

from cardhub.tui.keys import Key

# Keys of the viewpoints of seats, by seat.
SEAT_KEYS = "123456789"
ALL_KEY, PUBLIC_KEY = "0", "p"

VIEW_KEYS = tuple(
    Key(f"replay.view{key}", key, key, f"view({int(key) - 1})", key, f"the view of seat {key}")
    for key in SEAT_KEYS
)
LEAVE = Key("replay.leave", "q,ctrl+q", "q", "leave", "leave", "leave the replay", 1)
REPLAY_KEYS = (
    Key("replay.help", "question_mark,f1", "?", "help", "help", "help: rules, cards, keys", 9),
    Key("replay.forward", "right,l,full_stop", "→", "step(1)", "step", "one step on", 2),
    Key("replay.back", "left,h", "←", "step(-1)", "back", "one step back", 3),
    Key("replay.chapter", "right_square_bracket", "]", "chapter(1)", "next", "the next part", 10),
    Key("replay.part", "left_square_bracket", "[", "chapter(-1)", "part", "the part before", 11),
    Key("replay.first", "home", "home", "go(0)", "start", "the beginning", 12),
    Key("replay.last", "end", "end", "go(-1)", "end", "the end", 13),
    Key("replay.play", "space", "space", "play", "play", "play by itself, or stop", 4),
    Key("replay.faster", "plus,equals_sign", "+", "pace(-1)", "faster", "play faster", 14),
    Key("replay.slower", "minus", "-", "pace(1)", "slower", "play slower", 15),
    Key("replay.all", ALL_KEY, ALL_KEY, "view(-1)", "all", "the view of all cards", 16),
    Key("replay.public", PUBLIC_KEY, "p", "view(-2)", "public", "the view of a spectator", 17),
    Key("replay.find", "slash", "/", "find", "find", "find a text in the log", 8),
    Key("replay.on", "o", "o", "play_on", "play on", "play on from here, a new game", 5),
    Key("replay.bot", "i", "i", "ask_bot", "a bot", "the choice of a bot here", 6),
    Key("replay.other", "c", "c", "ask_other", "compare", "the choice of another bot here", 18),
    Key("replay.note", "m", "m", "note", "note", "write a note on this step", 7),
    Key("replay.page", "w", "w", "page", "page", "save as a page for a browser", 22),
    Key("replay.result", "v", "v", "result", "result", "the result of the game", 19),
    Key("replay.log", "L", "L", "whole_log", "log", "the whole log", 20),
    Key("replay.size", "Z", "Z", "card_size", "size", "cards: automatic, small, large", 21),
    Key("replay.escape", "escape", "esc", "back", "back", "close the bot's choice"),
    LEAVE,
)
# The keys of a game that is watched: a full stop skips, as at the table.
_LIVE = {
    "replay.forward": Key(
        "replay.forward", "right,l", "→", "step(1)", "step", "one step or one action on", 2
    ),
    "replay.play": Key(
        "replay.play", "space", "space", "play", "pause", "pause, or go on to the present", 4
    ),
    "replay.last": Key("replay.last", "end", "end", "go(-1)", "present", "back to the present", 5),
    "replay.leave": LEAVE._replace(text="leave; the game is saved"),
}
SKIP = Key("watch.skip", "full_stop", ".", "skip", "skip", "let bots act at once to the end", 6)
WATCH_KEYS = (*(_LIVE.get(key.id, key) for key in REPLAY_KEYS), SKIP)
