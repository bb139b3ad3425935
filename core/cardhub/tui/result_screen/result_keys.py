"""The keys of the result, declared once for bindings, footer and help."""

from cardhub.tui.keys import Key

RESULT_KEYS = (
    Key("result.again", "enter", "enter", "again", "play again", "play again with a new deal", 2),
    Key("result.same", "s", "s", "same_deal", "same deal, next seat", "the same deal again", 3),
    Key("result.replay", "r", "r", "replay", "replay", "replay the game", 4),
    Key("result.analyse", "a", "a", "analyse", "analyse", "have a bot rate your decisions", 5),
    Key(
        "result.export",
        "e",
        "e",
        "export",
        "export",
        "write the result as text beside the record",
        7,
    ),
    Key("result.table", "v,escape", "v", "table", "table", "the table as it lies", 6),
    Key("result.leave", "q,ctrl+q", "q", "leave", "home", "leave", 1),
    Key("result.help", "question_mark,f1", "?", "help", "help", "help: the keys of the result", 9),
    Key("result.down", "down,j", "↓", "scroll(1)", "more", "scroll down", 8),
    Key("result.up", "up,k", "↑", "scroll(-1)", "up", "scroll up"),
    Key("result.page", "pagedown,space", "pgdn", "scroll(10)", "page", "scroll a page down"),
    Key("result.page_up", "pageup", "pgup", "scroll(-10)", "page up", "scroll a page up"),
    Key("result.first", "home", "home", "scroll(-10000)", "first", "the first row"),
    Key("result.last", "end", "end", "scroll(10000)", "last", "the last row"),
)
