"""The names that the package cardhub.lab exports, except for the statistics, which load slowly."""

from cardhub.lab.match.blocks import Block
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import Watcher
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match_folder import Match, read_match, run_match

__all__ = [
    "Block",
    "GameResult",
    "Match",
    "MatchState",
    "Timing",
    "Watcher",
    "read_match",
    "run_match",
]
