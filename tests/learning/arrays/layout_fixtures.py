"""Fingerprints and one array of each installed game, as kept in `layouts.json`.

`python -m tests.learning.arrays.layout_fixtures` writes the file again.
"""

import json
from pathlib import Path
from typing import Any

from tests.kit.installed_games import names_for_arrays
from tests.learning.arrays.conftest import positions

from cardhub import Game, Observation
from cardhub.learning.arrays import Layout
from cardhub.plugins.registry import find_plugins

FILE = Path(__file__).with_name("layouts.json")
RENEW = "python -m tests.learning.arrays.layout_fixtures"


def fixture_of(game: Game[Any]) -> dict[str, Any]:
    """Return the fingerprint, and by part the slots that are not 0 in the middle of a game."""
    layout = Layout(game)
    sample = positions(game, layout.seats)
    position = sample[len(sample) // 2]
    array = layout.encode(Observation(game, position.state, 0, position.history))
    slots = {part.name: array[part.slots] for part in layout.parts}
    kept = {
        name: {str(slot): float(values[slot]) for slot in values.nonzero()[0]}
        for name, values in slots.items()
    }
    return {"fingerprint": layout.fingerprint, "parts": {n: v for n, v in kept.items() if v}}


def written(fixtures: dict[str, Any]) -> str:
    """Return the text of the file, with one line for each part."""
    games = []
    for name, fixture in fixtures.items():
        parts = [f"   {json.dumps(n)}: {json.dumps(v)}" for n, v in fixture["parts"].items()]
        body = ",\n".join(parts)
        print_ = json.dumps(fixture["fingerprint"])
        games.append(
            f' {json.dumps(name)}: {{\n  "fingerprint": {print_},\n  "parts": {{\n{body}\n  }}\n }}'
        )
    return "{\n" + ",\n".join(games) + "\n}\n"


if __name__ == "__main__":
    plugins = find_plugins()
    all_games = {name: fixture_of(plugins.game(name)) for name in sorted(names_for_arrays())}
    FILE.write_text(written(all_games), "utf-8")
