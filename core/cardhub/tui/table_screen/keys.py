"""The keys of the table; each has an id by which it can be given to another key."""

from textual.binding import Binding

TABLE_KEYS = [
    Binding("question_mark,f1", "help", "Help", key_display="?", id="table.help"),
    Binding("colon", "type_action", "Type", key_display=":", id="table.type"),
    Binding("i", "hint", "Hint", id="table.hint"),
    Binding("u", "undo", "Undo", id="table.undo"),
    Binding("full_stop", "skip", "Skip", key_display=".", id="table.skip"),
    Binding("p", "pause", "Pause", show=False, id="table.pause"),
    Binding("plus,equals_sign", "pace(-1)", "Pace", key_display="+ -", id="table.faster"),
    Binding("minus", "pace(1)", "Slower", show=False, id="table.slower"),
    Binding("L", "whole_log", "Log", key_display="L", id="table.log"),
    Binding("escape", "back", "Back", show=False, id="table.back"),
    Binding("q,ctrl+q", "leave", "Leave", key_display="q", priority=False, id="table.leave"),
]
