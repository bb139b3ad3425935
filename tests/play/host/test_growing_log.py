"""The log of a running table equals the log of all its events at any time."""

from random import Random

from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event, standing_summaries
from cardhub.play.host.replays.replay_log import OwnEvents, UnreadSummaries, log_lines, news_of
from cardhub.play.host.viewer_session import GrowingLog
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.log import joined
from cardhub.view.view import LogLine
from cardhub_gargon import Gargon

NAMES = ("Anna", "Bob", "Chris")


def test_lines_are_joined_across_the_times_at_which_they_are_asked_for() -> None:
    referee = set_up(Gargon(), [Player(name, "random") for name in NAMES], {}, seed=1)
    events: dict[int, list[Event]] = {0: [], 3: []}
    logs = {viewer: GrowingLog(history, referee.names) for viewer, history in events.items()}
    for viewer, history in events.items():
        follow(referee, viewer, history.append)
    referee.proceed()
    rng, counts = Random(1), set()
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        for viewer, history in events.items():
            new = len(news_of(history, viewer, is_person=viewer == 0))
            lines = logs[viewer].lines(new)
            assert lines == joined(log_lines(history, new), referee.names)
            counts.add(len(log_lines(history)) - len(lines))
    assert len(counts) > 10


def test_the_end_of_a_log_is_told_without_the_lines_that_stay() -> None:
    """A listener that keeps what stays, and asks for the rest, has all lines."""
    referee = set_up(Gargon(), [Player(name, "random") for name in NAMES], {}, seed=1)
    events: dict[int, list[Event]] = {0: [], 3: []}
    logs = {viewer: GrowingLog(history, referee.names) for viewer, history in events.items()}
    heard: dict[int, list[LogLine]] = {viewer: [] for viewer in events}
    settled = dict.fromkeys(events, 0)
    for viewer, history in events.items():
        follow(referee, viewer, history.append)
    referee.proceed()
    rng, lengths = Random(1), set()
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        for viewer, history in events.items():
            if rng.random() < 0.3:
                continue
            new = len(news_of(history, viewer, is_person=viewer == 0))
            before = settled[viewer]
            lines, settled[viewer] = logs[viewer].tail(before, new)
            heard[viewer][before:] = lines
            assert heard[viewer] == joined(log_lines(history, new), referee.names)
            assert logs[viewer].lines(new) is logs[viewer].lines(new)
            lengths.add(len(lines))
    assert max(lengths) < 40
    assert len(heard[0]) > 60


def test_summaries_are_unread_until_they_are_read() -> None:
    """After each event, also after an action was undone."""
    referee = set_up(Gargon(), [Player(name, "random") for name in NAMES], {}, seed=1)
    events: list[Event] = []
    unread, read = UnreadSummaries(events, 0), 0
    follow(referee, 0, events.append)
    follow(referee, 0, lambda _: unread.note_event())
    referee.proceed()
    rng, counts = Random(1), set()
    while not referee.is_over:
        seat = referee.seat
        referee.apply(rng.choice(referee.observe(seat).legal()))
        if referee.can_undo(seat) and rng.random() < 0.3:
            referee.undo(seat)
        if rng.random() < 0.3:
            standing = [event for event in standing_summaries(events) if event.number >= read]
            assert [*unread.unread] == [event.summary for event in standing]
            counts.add(len(standing))
        if rng.random() < 0.03:
            read = len(referee.entries) - 1
            unread.read(read)
            assert unread.unread == ()
    assert len(counts) > 1


def test_own_events_have_the_same_news_and_only_their_origins() -> None:
    referee = set_up(Gargon(), [Player(name, "random") for name in NAMES], {}, seed=1)
    referee.proceed()
    seen: dict[int, list[Event]] = {viewer: past_events(referee, viewer) for viewer in (0, 3)}
    kept = {viewer: [*events] for viewer, events in seen.items()}
    own = {viewer: OwnEvents(events, viewer, 3) for viewer, events in kept.items()}
    for viewer in seen:
        follow(referee, viewer, seen[viewer].append)
        follow(referee, viewer, kept[viewer].append)
    for viewer, own_events in own.items():
        follow(referee, viewer, lambda _, own_events=own_events: own_events.note_event())  # type: ignore[misc]  # bound now
    rng = Random(1)
    for _ in range(40):
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        for viewer, events in own.items():
            for is_person in (False, viewer == 0):
                news = news_of(seen[viewer], viewer, is_person=is_person)
                assert [*events.news(is_person=is_person)] == [*news]
    assert sum(len(event.origins) for event in seen[3]) > 50
    assert not any(event.origins for event in kept[3][:-1])
