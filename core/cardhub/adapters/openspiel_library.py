"""OpenSpiel itself, or what to install."""

from cardhub.adapters import OPENSPIEL_MISSING
from cardhub.errors import MissingLibraryError

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingLibraryError(OPENSPIEL_MISSING) from error

__all__ = ["pyspiel"]
