"""Nosegay: take a flower, and pass the hand on."""

from nosegay.game import Nosegay

__all__ = ["Nosegay"]
