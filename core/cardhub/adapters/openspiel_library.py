"""OpenSpiel itself, or what to install."""

from cardhub.errors import MissingLibraryError

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "OpenSpiel is not installed here. Install it with: pip install 'cardhub[openspiel]'"
    ) from error

__all__ = ["pyspiel"]
