"""The interface by which menu screens open other screens and tables."""

from pathlib import Path
from typing import Any, Protocol

from cardhub.lab.match.log.known_matches import KnownMatch
from cardhub.model.game.game import Game
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.home_facts import HomeFacts
from cardhub.play.host.saved.preferences import Preferences


class Navigator(Protocol):
    """Opens screens and tables; shows errors of games, bots and records on the screen."""

    facts: HomeFacts
    preferences: Preferences

    def start(self, new: NewGame) -> None:
        """Start a game and open its table."""
        ...

    def resume(self, path: Path) -> None:
        """Continue a saved game."""
        ...

    def replay(self, path: Path) -> None:
        """Open the replay of a record."""
        ...

    def set_up(self, game: Game[Any], *, watches: bool = False) -> None:
        """Open the screen for a new game; `watches`: only bots play."""
        ...

    def learn(self, game: Game[Any]) -> None:
        """Open the lesson of a game, or its rules."""
        ...

    def list_games(self, purpose: str) -> None:
        """Open the list of games, to `watch` or to `learn` one."""
        ...

    def list_saved(self, *, finished: bool) -> None:
        """Open the list of unfinished or finished games."""
        ...

    def show_statistics(self) -> None:
        """Open the statistics."""
        ...

    def list_matches(self) -> None:
        """Open the list of matches of bots."""
        ...

    def show_summary(self, match: KnownMatch) -> None:
        """Open the report of a match."""
        ...

    def show_settings(self) -> None:
        """Open the settings."""
        ...

    def save(self, preferences: Preferences) -> None:
        """Apply settings and save them; show an error if they cannot be saved."""
        ...

    def leave(self) -> None:
        """Leave the program."""
        ...
