"""Checks that every game and every bot must pass: one line in a plugin's tests runs them all.

```python
test_my_game = checks(MyGame())


def test_the_bot_keeps_to_the_rules() -> None:
    assert check_bot(MyBot, MyGame()).findings == ()
```
"""

from cardhub.testing.bots import check_bot
from cardhub.testing.byhand import ByHand
from cardhub.testing.error_texts import probe_error_texts
from cardhub.testing.faults import ConformanceError
from cardhub.testing.findings import BotReport, Finding
from cardhub.testing.games import GameFinding, GameReport, inspect_game
from cardhub.testing.one_line import checks
from cardhub.testing.playout import Position, Trial, play, trials
from cardhub.testing.promises import PROMISES, Promise
from cardhub.testing.specs import check_spec
from cardhub.testing.suite import check_game, check_playout, check_position

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
    "Trial",
    "check_bot",
    "check_game",
    "check_playout",
    "check_position",
    "check_spec",
    "checks",
    "inspect_game",
    "play",
    "probe_error_texts",
    "trials",
]
