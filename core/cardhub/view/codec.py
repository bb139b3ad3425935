"""The JSON form of views and catalogues."""

import msgspec

from cardhub.view.view import VIEW_VERSION, CardCatalogue, View

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
    view = _VIEWS.decode(data)
    if view.version != VIEW_VERSION:
        raise msgspec.ValidationError(
            f"the view has version {view.version}. fix: use a client of version {view.version}"
        )
    return view


def decode_catalogue(data: bytes | str) -> CardCatalogue:
    """Return a catalogue from its JSON form; raises msgspec.DecodeError."""
    return _CATALOGUES.decode(data)
