"""The names that the package cardhub.lab exports: matches, and statistics for own programs."""

from cardhub.lab.frames import Rows
from cardhub.lab.match.blocks import Block
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import Watcher
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match_folder import Match, read_match, run_match
from cardhub.lab.stats import (
    ConfidenceSequence,
    Hypotheses,
    PlayedGame,
    Sprt,
    Verdict,
    after_stop,
    as_elo,
    certified_cycles,
    fit_ratings,
    mean_score,
    payoffs_of,
    sign_flip,
)

__all__ = [
    "Block",
    "ConfidenceSequence",
    "GameResult",
    "Hypotheses",
    "Match",
    "MatchState",
    "PlayedGame",
    "Rows",
    "Sprt",
    "Timing",
    "Verdict",
    "Watcher",
    "after_stop",
    "as_elo",
    "certified_cycles",
    "fit_ratings",
    "mean_score",
    "payoffs_of",
    "read_match",
    "run_match",
    "sign_flip",
]
