"""The keys at a table of a server: the keys of all tables, chat and people."""

from cardhub.tui.keys import RESULT_KEYS, TABLE_KEYS, Key

LEAVE = "leave; your seat stays yours"
CHAT = Key("online.chat", "c", "c", "chat", "chat", "read the chat and write in it", 9, True)
PEOPLE = Key("online.people", "t", "t", "people", "table", "who is at the table", 10)
BACK = Key("online.back", "b", "b", "come_back", "play", "play again instead of a bot", 2, True)
# The replay of a remote game is a page, which the server has after the end of the game.
_TABLE = tuple(
    key._replace(text=LEAVE) if key.id == "table.leave" else key
    for key in TABLE_KEYS
    if key.id not in ("table.replay", "table.hide")
)
# Without a result: the end of practice leads back to the result of the finished game.
TABLE_KEYS_ONLINE = tuple(
    key._replace(text="back to the result") if key.id == "table.leave" else key
    for key in _TABLE
    if key.id != "table.result"
)
ONLINE_KEYS = (*_TABLE, CHAT, PEOPLE, BACK)

GO_THERE = "play on from it, or see the table if the game keeps cards hidden"
# Labels and texts of keys whose meaning differs here.
_CHANGED = {
    "result.again": ("rematch", "play again, each person one seat further"),
    "result.leave": ("leave", LEAVE),
    "result.practise1": ("go there", f"the first of your costliest moves: {GO_THERE}"),
    "result.practise2": ("go there", f"move 2 of your costliest moves: {GO_THERE}"),
    "result.practise3": ("go there", f"move 3 of your costliest moves: {GO_THERE}"),
    "result.export": ("export", "write the result as a text file in this folder"),
}
PAGE = Key("online.page", "p", "p", "page", "replay page", "save the replay as a page", 4)


def _changed(key: Key) -> Key:
    label, text = _CHANGED.get(key.id, (key.label, key.text))
    return key._replace(label=label, text=text)


ONLINE_RESULT_KEYS = (
    *(_changed(key) for key in RESULT_KEYS if key.id not in ("result.same", "result.replay")),
    PAGE,
    CHAT._replace(rank=7),
)
