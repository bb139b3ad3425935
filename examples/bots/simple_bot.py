"""A bot program for cardhub, with the standard library only.

    cardhub play gargon --seat Anna=human --seat Bob="cmd:python examples/bots/simple_bot.py"

It plays every game by random legal actions, and Kuhn poker by the cards. cardhub writes one JSON
object on a line, and so does the bot; it has to answer `hello` and `turn`. The whole protocol is in
docs/bot-protocol.md.
"""

import json
import sys
from random import Random
from typing import Any

PROTOCOL = 1
# The probability of a bet with a Jack. At 1/3 a Queen gains as much by a call as by a fold.
BLUFFS = 1 / 3


class SimpleBot:
    """Plays one game after another and keeps the state of the current game only."""

    def __init__(self) -> None:
        self.game = ""
        self.seat = 0
        self.rng = Random()

    def sit_down(self, message: dict[str, Any]) -> None:
        """Begin a game; with the same seed the bot chooses the same actions."""
        self.game, self.seat = message["game"], message["seat"]
        self.rng = Random(message["seed"])

    def choose(self, turn: dict[str, Any]) -> int:
        """Return the number of a legal action."""
        legal: dict[str, int] = {step["notation"]: step["action"] for step in turn["legal"]}
        if self.game == "kuhn":
            (card,) = turn["table"]["zones"]["hand"][self.seat]
            return legal[self.bet(card["card"], "bet" in legal)]
        return self.rng.choice(list(legal.values()))

    def bet(self, card: str, is_first: bool) -> str:
        """Return the action with a card in Kuhn poker."""
        if is_first:
            return "bet" if card == "K" or (card == "J" and self.rng.random() < BLUFFS) else "check"
        return "call" if card == "K" or (card == "Q" and self.rng.random() < 1 / 2) else "fold"


def main() -> None:
    """Answer messages until the end of the input."""
    bot = SimpleBot()
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, Any] | None = None
        if message["type"] == "hello":
            answer = {"name": "simple bot", "protocol": PROTOCOL}
        elif message["type"] == "game":
            bot.sit_down(message)
        elif message["type"] == "turn":
            answer = {"action": bot.choose(message)}
        if answer is not None:  # other messages need no answer
            # Flushed: cardhub waits for this line, and output to a pipe is buffered by default.
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
