"""Random games of all installed games, with every check of the contract at each step."""

import traceback
from collections.abc import Iterator
from random import Random

from tests.attack.cases import Finding, Share

from cardhub.plugins.registry import find_plugins
from cardhub.testing import Trial, check_playout, trials
from cardhub.testing.random_play import default_trial

DOOR = "random games"
GARGON = "gargon"
# Half of the cases are games of Gargon with default options, because its rules are the longest.
GARGON_SHARE = 0.5


def attack(share: Share) -> Iterator[list[Finding]]:
    """Check one random game for each case, and one of its positions thoroughly."""
    registry = find_plugins()
    games = [registry.game(name) for name in registry.game_names()]
    for number in share.numbers:
        rng = Random(f"{share.seed} {DOOR} {number}")
        if rng.random() < GARGON_SHARE:
            game = registry.game(GARGON)
            table = default_trial(game, rng.randint(game.seats.low, game.seats.high), 0)
        else:
            game = rng.choice(games)
            table = rng.choice(list(trials(game, 1, 0)))
        trial = Trial(table.seats, table.settings, rng.getrandbits(32))
        try:
            check_playout(game, trial, samples=1, draws=1)
        except Exception as error:  # noqa: BLE001  # every error is a finding
            how = "".join(traceback.format_exception(error)[-3:])
            yield [Finding(DOOR, number, f"{game.name}: {error}", how)]
        else:
            yield []
