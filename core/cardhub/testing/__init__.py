"""Checks that every game must pass: one call in a plugin's tests runs them all.

```python
def test_the_game_keeps_its_promises() -> None:
    check_game(MyGame())
```
"""

from cardhub.testing.byhand import ByHand
from cardhub.testing.faults import ConformanceError
from cardhub.testing.playout import Position, Trial, play, trials
from cardhub.testing.suite import check_game, check_playout, check_position

__all__ = [
    "ByHand",
    "ConformanceError",
    "Position",
    "Trial",
    "check_game",
    "check_playout",
    "check_position",
    "play",
    "trials",
]
