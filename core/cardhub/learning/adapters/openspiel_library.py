"""The import of OpenSpiel, with an error that says how to install it."""

from cardhub.base.errors import MissingLibraryError
from cardhub.learning.adapters import OPENSPIEL_MISSING

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingLibraryError(OPENSPIEL_MISSING) from error

__all__ = ["pyspiel"]
