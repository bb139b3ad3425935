"""Having an exporter write a game."""

from cardhub.errors import PluginError
from cardhub.plugins.declared import Declared
from cardhub.plugins.exporter import Exporter, Playthrough
from cardhub.plugins.guard import guarded


def exported(exporter: Exporter, declared: Declared, game: Playthrough) -> str:
    """Return a game in the format of an exporter, a plugin's; raises PluginError."""
    failure = f"failed in its format {exporter.name!r}"
    result = guarded(declared, failure, lambda: exporter.export(game))
    if isinstance(result, str):
        return result
    if not hasattr(result, "__iter__"):
        raise PluginError(f"{declared} {failure}: it returned {result!r}, not text or pieces of it")
    pieces = guarded(declared, failure, lambda: list(result))
    for piece in pieces:
        if not isinstance(piece, str):
            raise PluginError(f"{declared} {failure}: a piece of it is {piece!r}, not text")
    return "".join(pieces)
