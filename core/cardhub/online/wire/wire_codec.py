"""Encode and decode messages of the wire protocol; what comes in is checked by its types."""

from typing import TypeVar

import msgspec

from cardhub.online.wire.client_messages import LARGEST_MESSAGE, AnyClientMessage
from cardhub.online.wire.server_messages import AnyServerMessage

M = TypeVar("M")

_ENCODER = msgspec.json.Encoder()
_CLIENT: msgspec.json.Decoder[AnyClientMessage] = msgspec.json.Decoder(AnyClientMessage)
_SERVER: msgspec.json.Decoder[AnyServerMessage] = msgspec.json.Decoder(AnyServerMessage)


class WireError(ValueError):
    """A message that does not follow the protocol; the text names the wrong key, never a value."""


def encode_message(message: AnyClientMessage | AnyServerMessage) -> bytes:
    """Return a message as one JSON object in UTF-8."""
    return _ENCODER.encode(message)


def decode_client(data: bytes | str) -> AnyClientMessage:
    """Return a client's message; raises WireError."""
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > LARGEST_MESSAGE:
        raise WireError(f"the message has {size} bytes. fix: send at most {LARGEST_MESSAGE}")
    return _decoded(_CLIENT, data)


def decode_server(data: bytes | str) -> AnyServerMessage:
    """Return a server's message; raises WireError."""
    return _decoded(_SERVER, data)


def _decoded(decoder: msgspec.json.Decoder[M], data: bytes | str) -> M:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WireError(f"invalid message: {error}") from error
