"""The log of a running table equals that of all its events, whenever it is asked for."""

from random import Random

from cardhub.host.growing_log import GrowingLog
from cardhub.host.replays.replay_log import log_lines, news_of
from cardhub.play.events import Event, follow
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.log import joined
from cardhub_gargon import Gargon

NAMES = ("Anna", "Bob", "Chris")


def test_lines_are_joined_across_the_times_at_which_they_are_asked_for() -> None:
    """After every action, for a person and for a spectator."""
    referee = set_up(Gargon(), [Player(name, "random") for name in NAMES], {}, seed=1)
    events: dict[int, list[Event]] = {0: [], 3: []}
    logs = {viewer: GrowingLog(told, referee.names) for viewer, told in events.items()}
    for viewer, told in events.items():
        follow(referee, viewer, told.append)
    referee.proceed()
    rng, counts = Random(1), set()
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        for viewer, told in events.items():
            new = len(news_of(told, viewer, is_person=viewer == 0))
            lines = logs[viewer].lines(new)
            assert lines == joined(log_lines(told, new), referee.names)
            counts.add(len(log_lines(told)) - len(lines))
    assert len(counts) > 10
