"""Nosegay: all choose a flower at the same time, then the hands are passed on."""

from nosegay.game import Nosegay

__all__ = ["Nosegay"]
