"""Having an exporter write a game."""

from cardhub.errors import PluginError
from cardhub.plugins.declared import Declared
from cardhub.plugins.exporter import Exporter, Playthrough
from cardhub.plugins.guard import guarded, shown


def exported(exporter: Exporter, declared: Declared, game: Playthrough) -> str:
    """Return a game in the format of an exporter, a plugin's; raises PluginError."""
    failure = f"failed in its format {exporter.name!r}"
    return guarded(declared, failure, lambda: _exported(exporter, f"{declared} {failure}", game))


def _exported(exporter: Exporter, failure: str, game: Playthrough) -> str:
    result = exporter.export(game)
    if isinstance(result, str):
        return result
    if not hasattr(result, "__iter__"):
        raise PluginError(f"{failure}: it returned {shown(result)}, not text or pieces of it")
    pieces = list(result)
    for piece in pieces:
        if not isinstance(piece, str):
            raise PluginError(f"{failure}: a piece of it is {shown(piece)}, not text")
    return "".join(pieces)
