"""The names that the package cardhub.play exports: whole games, and tables for single steps."""

from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.play.table import SeatPlayer, Table, play_game, read_game

__all__ = ["HUMAN", "NAMES", "Player", "SeatPlayer", "Table", "play_game", "read_game"]
