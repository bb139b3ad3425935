"""The JSON form of views and catalogues."""

from typing import TypeVar

import msgspec

from cardhub.view.view import VIEW_VERSION, CardCatalogue, View

T = TypeVar("T")

_ENCODER = msgspec.json.Encoder()
_VIEWS = msgspec.json.Decoder(View)
_CATALOGUES = msgspec.json.Decoder(CardCatalogue)


def encode(value: View | CardCatalogue) -> bytes:
    """Return a view or a catalogue as JSON."""
    return _ENCODER.encode(value)


def decode_view(data: bytes | str) -> View:
    """Return a view from its JSON form.

    Raises msgspec.DecodeError for bad JSON, and its subclass msgspec.ValidationError for values of
    other types and for another version.
    """
    view = _decoded(_VIEWS, data)
    if view.version != VIEW_VERSION:
        raise msgspec.ValidationError(
            f"the view has version {view.version}. fix: use a client of version {view.version}"
        )
    return view


def decode_catalogue(data: bytes | str) -> CardCatalogue:
    """Return a catalogue from its JSON form; raises msgspec.DecodeError."""
    return _decoded(_CATALOGUES, data)


def _decoded(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    try:
        return decoder.decode(data)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"no JSON: {error}") from error
