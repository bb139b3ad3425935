"""Checks that every game and every bot must pass: one line in a plugin's tests runs them all.

```python
test_my_game = checks(MyGame())


def test_the_bot_keeps_to_the_rules() -> None:
    assert check_bot(MyBot, MyGame()).findings == ()
```
"""

from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import random_step
from cardhub.model.hidden.observation import Step
from cardhub.plugins.registry import find_plugins
from cardhub.testing.bot_checks.bot_findings import BotReport, Finding
from cardhub.testing.bot_checks.bot_suite import check_bot, check_spec
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.contract import PROMISES, Promise
from cardhub.testing.game_checks.determinization_bias import check_guesses
from cardhub.testing.game_checks.error_checks.error_exits import probe_error_texts
from cardhub.testing.game_checks.game_report import (
    GameFinding,
    GameReport,
    check_deals,
    check_game,
    inspect_game,
)
from cardhub.testing.game_checks.playout_checks import check_playout, check_position
from cardhub.testing.game_checks.record_checks import check_record
from cardhub.testing.position_builder import ByHand
from cardhub.testing.pytest_plugin import checks, examples
from cardhub.testing.random_play import Position, Trial, default_trial, play, trials

__all__ = [
    "PROMISES",
    "BotReport",
    "ByHand",
    "ConformanceError",
    "Finding",
    "GameFinding",
    "GameReport",
    "Position",
    "Promise",
    "Step",
    "Trial",
    "check_bot",
    "check_deals",
    "check_game",
    "check_guesses",
    "check_playout",
    "check_position",
    "check_record",
    "check_spec",
    "checks",
    "default_trial",
    "examples",
    "find_plugins",
    "initial_state",
    "inspect_game",
    "play",
    "probe_error_texts",
    "random_step",
    "resolve_options",
    "shuffled_pack",
    "trials",
]
