"""Messages of a server that is not trusted: bounded, of the right types, and safe to print."""

import re
from typing import Any

import msgspec

from cardhub.base.errors.printable import printable
from cardhub.online.wire.server_messages import AnyServerMessage
from cardhub.online.wire.wire_codec import WireError, decode_server

# The most bytes of a message. The catalogue of a game with drawings is the largest one.
MOST_BYTES = 4 * 2**20
# Characters that a terminal could obey, raw or as an escape of JSON.
_SUSPICIOUS = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|\\[bfnrtu]")
# Texts of several lines: rules, details of spots, reasons, and texts of cards.
_LINES = frozenset(("rules", "text", "why", "why_none"))


def decode_untrusted(data: bytes | str) -> AnyServerMessage:
    """Return a message whose texts have no control characters; raises WireError."""
    if len(data) > MOST_BYTES:
        raise WireError(f"a message of {len(data):,} bytes is too long")
    # First: bytes that are not UTF-8 are refused there.
    message = decode_server(data)
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
    # Messages of an honest server hardly ever have any, so most are decoded once only.
    if _SUSPICIOUS.search(text) is None:
        return message
    plain = _escaped(msgspec.to_builtins(message), lines=False)
    cleaned: AnyServerMessage = msgspec.convert(plain, type(message))
    return cleaned


def _escaped(value: Any, *, lines: bool) -> Any:
    if isinstance(value, str):
        return printable(value, lines=lines)
    if isinstance(value, dict):
        return {
            printable(str(key)): _escaped(each, lines=key in _LINES) for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_escaped(each, lines=lines) for each in value]
    return value
