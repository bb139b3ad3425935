"""OpenSpiel's module, imported on first use, with an error that says how to install it."""

from typing import TYPE_CHECKING, Any

from cardhub.base.errors import MissingLibraryError

if TYPE_CHECKING:
    import pyspiel

__all__ = ["OPENSPIEL_MISSING", "pyspiel"]

OPENSPIEL_MISSING = (
    "OpenSpiel is not installed. fix: pip install '.[openspiel]' in the checkout of cardhub"
)


def __getattr__(name: str) -> Any:
    if name != "pyspiel":
        raise AttributeError(f"module 'cardhub_openspiel.library' has no attribute {name!r}")
    try:
        import pyspiel
    except ModuleNotFoundError as error:
        raise MissingLibraryError(OPENSPIEL_MISSING) from error
    return globals().setdefault(name, pyspiel)
