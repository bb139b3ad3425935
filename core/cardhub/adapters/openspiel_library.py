"""The import of OpenSpiel, with an error that says how to install it."""

from cardhub.adapters import OPENSPIEL_MISSING
from cardhub.errors import MissingLibraryError

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingLibraryError(OPENSPIEL_MISSING) from error

__all__ = ["pyspiel"]
