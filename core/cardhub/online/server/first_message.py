"""The first message of a client: `enter`, of the server's version of the protocol."""

from contextlib import suppress

import msgspec

from cardhub.online.server.visitor import Visitor
from cardhub.online.wire.client_messages import WIRE_VERSION, AnyClientMessage, Enter
from cardhub.online.wire.wire_codec import WireError, decode_client


class _Version(msgspec.Struct):
    """The version in a first message; clients of other versions may send other keys."""

    version: int = 0


_VERSION = msgspec.json.Decoder(_Version)


def read_first(visitor: Visitor, text: str) -> Enter | None:
    """Return the first message of a client, or close it and return None."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        version = _VERSION.decode(text).version
        if version not in (0, WIRE_VERSION):
            which = "client" if version < WIRE_VERSION else "server"
            why = f"the client has version {version} of the protocol, the server {WIRE_VERSION}"
            visitor.close(f"{why}. fix: update the {which}, or reload the page")
            return None
    try:
        message: AnyClientMessage = decode_client(text)
    except WireError as error:
        visitor.close(str(error))
        return None
    if not isinstance(message, Enter):
        visitor.close("the first message is not `enter`. fix: send `enter` first")
        return None
    if message.version != WIRE_VERSION:
        visitor.close(f"version {message.version} is unknown. fix: send version {WIRE_VERSION}")
        return None
    return message
