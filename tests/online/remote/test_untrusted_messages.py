"""Messages of a server are bounded, of the right types, and safe to print."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.online.remote.conftest import Mirror
from tests.play.host.conftest import Table

from cardhub.base.errors.quoting import UNSAFE
from cardhub.model.game.scene import Counter
from cardhub.online.remote.table_connection import MOST_BYTES, decode_untrusted
from cardhub.online.remote.view_checks import check_view
from cardhub.online.wire.server_messages import ChatLine, ChatMessage, Closed
from cardhub.online.wire.wire_codec import WireError, encode_message
from cardhub.play.table_messages import HintMessage, Refused
from cardhub.plugins.registry import find_plugins
from cardhub.view.view import AreaView, CardCatalogue, CardView, GridView, Spot, View

EVIL = "\x1b[2J\x9b2J\u202e\x07\u2066\x00 fine\ttab\nline"


@pytest.fixture(scope="module")
def mirror() -> Mirror:
    """Return a session of a board game, which has grids as well as areas."""
    return Mirror(Table(find_plugins().game("garner"), people=(0, 1), seats=2).begin(), 0)


def strings(value: Any) -> list[str]:
    """Return all strings of plain data, keys included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in strings(part)]
    return [text for part in value for text in strings(part)] if isinstance(value, list) else []


def test_no_text_of_a_server_can_control_the_terminal(mirror: Mirror) -> None:
    plain = json.loads(encode_message(mirror.table_message()))
    game = json.loads(encode_message(mirror._game()))
    for data in (plain, game):
        poisoned = poison(data)
        message = decode_untrusted(json.dumps(poisoned, ensure_ascii=False).encode())
        texts = strings(msgspec.to_builtins(message))
        assert sum("fine" in text for text in texts) > 5
        assert [text for text in texts if UNSAFE.search(text.replace("\n", ""))] == []


def poison(value: Any, key: str = "") -> Any:
    """Return data with control characters in all strings that are shown."""
    if isinstance(value, dict):
        return {name: poison(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [poison(part, key) for part in value]
    kept = ("type", "region", "look", "kind", "version", "tag", "table", "goal", "card")
    return f"{value}{EVIL}" if isinstance(value, str) and key not in ("", "spots", *kept) else value


@pytest.mark.parametrize("kind", [Closed, Refused, HintMessage])
@pytest.mark.parametrize("letter", ["x", "\x1b"])
def test_a_reason_is_clipped(kind: type[Closed | Refused | HintMessage], letter: str) -> None:
    """A front end shows it in a line or a dialog."""
    message = decode_untrusted(encode_message(kind(why=letter * 100_000)))
    assert isinstance(message, kind)
    assert len(message.why) == 1000
    assert message.why.endswith("…")


def test_lines_are_kept_where_texts_have_several() -> None:
    """Rules and reasons; names have one line."""
    why = decode_untrusted(encode_message(Refused(why="one\ntwo\x1b")))
    assert why == Refused(why="one\ntwo\\x1b")
    line = ChatLine(seat=0, name="An\nna", text="hi\x07")
    chat = decode_untrusted(encode_message(ChatMessage(since=0, lines=(line,))))
    assert isinstance(chat, ChatMessage)
    assert (chat.lines[0].name, chat.lines[0].text) == ("An\\nna", "hi\\x07")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"type": "unknown"}',
        b'{"type": "table"}',
        b'{"type": "refused", "why": 3}',
        b'{"type": "log", "since": "0", "lines": []}',
        b'{"type": "refused", "why": ' + b"[" * 100_000,
        b'{"type": "refused", "why": "' + b"x" * MOST_BYTES + b'"}',
    ],
    ids=lambda data: str(data[:30]),
)
def test_anything_else_is_an_error_of_one_kind(data: bytes) -> None:
    """Never another exception, which would end the program with a traceback."""
    with pytest.raises(WireError):
        decode_untrusted(data)


def changed(view: View, **changes: Any) -> View:
    """Return a view with its first area of cards changed."""
    index = next(n for n, area in enumerate(view.areas) if isinstance(area, AreaView))
    areas = list(view.areas)
    areas[index] = replace(areas[index], **changes)
    return replace(view, areas=tuple(areas))


CARD = CardView(token=0, back=0)
COUNTER = Counter(caption="", value=1)
GRID = GridView(caption="", rows=2, columns=2, stacks=((), (), ()))
BAD_VIEWS: dict[str, Any] = {
    "another version": lambda view: replace(view, version=99),
    "no players": lambda view: replace(view, players=()),
    "a viewer who is not there": lambda view: replace(view, viewer=7),
    "an own seat that is not there": lambda view: replace(view, own=2),
    "a seat to act that is not there": lambda view: replace(view, to_act=2),
    "a back that is not there": lambda view: changed(view, cards=(replace(CARD, back=99),)),
    "a face that is not there": lambda view: changed(view, cards=(replace(CARD, face=9999),)),
    "a negative face": lambda view: changed(view, cards=(replace(CARD, face=-1),)),
    "a seat of an area": lambda view: changed(view, seat=5),
    "a huge room": lambda view: changed(view, room=10**9),
    "endless cards": lambda view: changed(view, cards=(CARD,) * 20_000),
    "a board with holes": lambda view: replace(view, areas=(GRID,)),
    "a huge board": lambda view: replace(view, areas=(replace(GRID, rows=10**6, columns=10**6),)),
    "endless pips": lambda view: replace(view, counters=(replace(COUNTER, pips=10**9),)),
    "a choice nowhere": lambda view: replace(
        view, choices=(replace(view.choices[0], spots=(Spot("site", 9999, 0),)),)
    ),
}


@pytest.mark.parametrize("name", BAD_VIEWS)
def test_a_view_that_cannot_be_drawn_is_refused(mirror: Mirror, name: str) -> None:
    at = mirror.at
    view = at.host.session(at.host.seat).view()
    catalogue: CardCatalogue = mirror.local.catalogue
    check_view(view, catalogue)
    with pytest.raises(WireError, match="invalid view"):
        check_view(BAD_VIEWS[name](view), catalogue)


def test_a_catalogue_of_fewer_cards_than_the_view_is_refused(mirror: Mirror) -> None:
    """The game is sent apart from the view."""
    game = mirror._game()
    poor = replace(game, catalogue=CardCatalogue(faces=(), backs=()))
    with pytest.raises(WireError, match="not in the catalogue"):
        mirror.link.change_game(poor)
