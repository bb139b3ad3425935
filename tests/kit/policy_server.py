"""A server for a model that finds actions as likely as `cfr` plays them, or as any other.

`python -m tests.kit.policy_server leduc --share 0.8` serves one that follows `cfr` in four of five
decisions of a small game, and acts at random in the others.
"""

import argparse
import sys
from random import Random
from threading import Event
from typing import Any

from tests.kit.model_server import Page, likelihoods, running_server

from cardhub.bots import MixedBot
from cardhub.bots.asking import policy_of
from cardhub.bots.language.prompt import ANSWER_MARK, build_prompt
from cardhub.bots.solving.game_tree import Tree
from cardhub.model.game.initial_state import resolve_options
from cardhub.plugins.registry import find_plugins

PLAYER = "cfr:200"


def likelihoods_of(name: str, share: float) -> dict[str, float]:
    """Return the probability of each last line, by the whole text that a server rates."""
    registry = find_plugins()
    game, bot = registry.game(name), registry.make_bot(PLAYER, name, Random(0))
    assert isinstance(bot, MixedBot)
    chances = {}
    seats = game.seats.low
    tree = Tree(game, seats, resolve_options(game, {}, seats))
    for observation in tree.observations():
        prompt, policy = build_prompt(observation), policy_of(bot, observation)
        for label, action in prompt.names.items():
            chance = share * policy.get(action, 0.0) + (1 - share) / len(prompt.names)
            chances[f"{prompt.text}\n\n{ANSWER_MARK} {label}\n"] = chance
    return chances


def main() -> None:
    """Serve a model until the program is interrupted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("--share", type=float, default=0.8, help=f"of decisions by {PLAYER}")
    parser.add_argument("--port", type=int, default=8081)
    options = parser.parse_args()
    chances = likelihoods_of(options.game, options.share)

    def respond(body: dict[str, Any]) -> Page:
        # The request before the first game is about no state.
        chance = chances.get(body["prompt"], 0.5)
        return likelihoods(lambda line: chance)(body)

    with running_server(respond, options.port) as server:
        sys.stdout.write(f"{len(chances)} actions at {server.url}\n")
        sys.stdout.flush()
        Event().wait()


if __name__ == "__main__":
    main()
