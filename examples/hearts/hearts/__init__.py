"""Hearts: four players take tricks and wish they had not."""

from hearts.game import Hearts

__all__ = ["Hearts"]
