"""Checks that every game and every bot must pass: one call in a plugin's tests runs them all.

```python
def test_the_game_keeps_its_promises() -> None:
    check_game(MyGame())


def test_the_bot_keeps_to_the_rules() -> None:
    assert check_bot(MyBot, MyGame()).findings == ()
```
"""

from cardhub.testing.bots import check_bot
from cardhub.testing.byhand import ByHand
from cardhub.testing.faults import ConformanceError
from cardhub.testing.findings import BotReport, Finding
from cardhub.testing.playout import Position, Trial, play, trials
from cardhub.testing.specs import check_spec
from cardhub.testing.suite import check_game, check_playout, check_position

__all__ = [
    "BotReport",
    "ByHand",
    "ConformanceError",
    "Finding",
    "Position",
    "Trial",
    "check_bot",
    "check_game",
    "check_playout",
    "check_position",
    "check_spec",
    "play",
    "trials",
]
