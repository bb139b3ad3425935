"""Whether the table of a game keeps its plan on terminals of several sizes."""

from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.observation import Observation
from cardhub.play.seating import NAMES
from cardhub.testing.random_play import default_trial, play
from cardhub.tui.layout.steadiness import plan_changes
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import catalogue_of

# Random games, and the greatest number of their positions that are looked at.
PLAN_GAMES, MOST_VIEWS = 2, 300


def plan_lines(game: Game[Any], seed: int) -> list[str]:
    """Return a sentence for each size of terminal on which regions or cards change, if any."""
    changed: dict[str, set[str]] = {}
    for number in range(PLAN_GAMES):
        trial = default_trial(game, game.seats.default, seed + number)
        positions = zip(play(game, trial), range(MOST_VIEWS), strict=False)
        names = NAMES[: trial.seats]
        views = [build_view(Observation(game, each.state, 0), names) for each, _ in positions]
        for change in plan_changes(views, catalogue_of(game)):
            size = f"{change.size.width}x{change.size.height}"
            changed.setdefault(size, set()).update(change.regions)
    if not changed:
        return []
    lines = [f"at {size} the table moves: {', '.join(sorted(changed[size]))}" for size in changed]
    return [*lines, "fix: declare the room of areas, and keep those that are empty for now"]
