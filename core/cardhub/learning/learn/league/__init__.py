"""A league: a learner, the pool of its earlier versions, and their ratings, in one folder."""

from cardhub.learning.learn.league.checkpoints import LeagueRating, LeagueResult
from cardhub.learning.learn.league.league_run import League
from cardhub.learning.learn.league.trainers import Trainer, maskable_ppo

__all__ = ["League", "LeagueRating", "LeagueResult", "Trainer", "maskable_ppo"]
