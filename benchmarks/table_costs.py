"""Time of one action at a table: acting, and the view and the log of every listener.

    python benchmarks/table_costs.py [GAME] [PEOPLE] [SPECTATORS]

Prints microseconds of CPU for each action, without and with listeners.
"""

import sys
from random import Random
from time import process_time

from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.play.table_commands import PaceCommand
from cardhub.play.workers.client import InlineBotClient
from cardhub.plugins.registry import find_plugins

# Games of one run.
GAMES = 4


class Listener:
    """A listener that asks for the view and for the lines of the log since it asked last."""

    def __init__(self, host: Host, session: ViewerSession) -> None:
        self._host, self._session, self._heard = host, session, 0

    def look(self) -> None:
        """Ask for what is new."""
        self._session.view()
        self._session.log(self._heard)
        self._heard = self._host.step


def play(game: str, people: int, spectators: int, seed: int, *, listens: bool) -> tuple[float, int]:
    """Play a game of people; return the seconds and the number of actions."""
    players = [Player(name, "human") for name in NAMES[:people]]
    referee = set_up(find_plugins().game(game), players, {}, seed)
    referee.proceed()
    bots = InlineBotClient(lambda _: None)
    host, rng = Host(referee, bots, bots, BlockingScheduler(), hint="random"), Random(seed)
    sessions = [host.session(seat) for seat in range(people)]
    sessions += [host.session(people)] * spectators
    if listens:
        for session in sessions:
            host.subscribe(Listener(host, session).look)
    start, actions = process_time(), 0
    while not host.is_over:
        seat = referee.seat
        legal = referee.observe(seat).legal()
        host.act(seat, rng.choice(legal), host.revision)
        sessions[seat].send(PaceCommand(command="read"), print)
        actions += 1
    return process_time() - start, actions


def main() -> None:
    """Print the times."""
    game = sys.argv[1] if len(sys.argv) > 1 else "gargon"
    people, spectators = (int(word) for word in (sys.argv[2:4] or ("4", "10")))
    for listens in (False, True):
        played = [play(game, people, spectators, seed, listens=listens) for seed in range(GAMES)]
        cost = sum(seconds for seconds, _ in played) / sum(count for _, count in played)
        print(
            f"{game} {people}+{spectators} {'listeners' if listens else 'acting'} {cost * 1e6:.0f}"
        )


if __name__ == "__main__":
    main()
