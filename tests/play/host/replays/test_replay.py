"""Replays: any step, and for each viewer what was shown then."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kit.redacting import redact
from tests.play.host.conftest import Table
from tests.play.host.test_beats import cards_in_front, take_step

from cardhub import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.play.history_entries import Shuffled, Taken
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.replays.replay import Replay, open_replay, replay_so_far
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.records.reading import parse_record, read_record
from cardhub.play.referee import Referee
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.view.view import View, encode
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from hearts import Hearts
from roses import Roses

from .conftest import Play, seat_bots


def same(view: View) -> bytes:
    """Return the JSON of a view without what only a running table has."""
    return encode(msgspec.structs.replace(view, revision=0, can_undo=False))


def test_a_replay_equals_what_was_shown_live(tmp_path: Path) -> None:
    """Views and log of the person, at every stop at which the table was shown to her."""
    path = tmp_path / "live.jsonl"
    scheduler, rng = BlockingScheduler(), Random(2)
    opener = Opener(find_plugins(), scheduler, pace=0, is_inline=True)
    host = opener.start(NewGame("gamon", seat_bots(2, people=[0]), seed=3, record=path))
    session = host.model(0)
    shown: dict[int, tuple[bytes, Any]] = {}
    host.subscribe(lambda: shown.update({host.step: (same(session.view()), session.log())}))
    host.begin()
    while not host.is_over:
        scheduler.run_until(lambda: bool(host.seat in (0, -1) or session.unread_summaries()))
        session.request("read")
        if host.seat == 0:
            view = session.view()
            session.act(rng.choice(view.choices).action, view.revision, pytest.fail)
    host.close()
    replay = ReplaySession(open_replay(Gamon(), read_record(path)), viewer=0)
    assert len(shown) > 50
    for step, (view_then, log_then) in shown.items():
        replay.go(step)
        assert same(replay.view()) == view_then
        assert replay.log() == log_then


@pytest.mark.parametrize("game", [Gargon(), Hearts()], ids=["gargon", "hearts"])
def test_a_viewer_of_an_unfinished_game_never_sees_more_than_then(
    play: Play, game: Game[Any]
) -> None:
    """Views, logs and coming actions equal the ones of another deal that looks the same to Anna."""
    here = play(game, 4, most=40)
    there = elsewhere(here, 0)
    assert here.viewers == (0, 4)
    assert here.steps[0].full.state.face != there.steps[0].full.state.face
    for one, other in zip(all_shown(here), all_shown(there), strict=True):
        assert one == other


def elsewhere(replay: Replay, viewer: int) -> Replay:
    """Return the replay of the same actions with another deal that fits a viewer's knowledge."""
    drawn = replay.observe(replay.last, viewer).determinize_whole(Random(4))
    deal, outcomes = face_snapshots(drawn)[0], iter(outcomes_of(drawn))
    referee = Referee(
        replay.game, replay.players, drawn.settings, 5, deal, back_snapshots(drawn)[0]
    )
    for step in replay.steps[1:]:
        is_shuffle = isinstance(step.entry, Shuffled)
        referee.apply_entry(Shuffled(next(outcomes)) if is_shuffle else step.entry)
    return replay_so_far(referee, [viewer])


def all_shown(replay: Replay) -> list[tuple[Any, ...]]:
    """Return all that the viewer of seat 0 is shown, at every stop and beat."""
    session, shown = ReplaySession(replay, viewer=0), []
    while True:
        shown.append((same(session.view()), session.log(), session.coming(), session.chapters))
        if session.is_at_end:
            return shown
        session.move(1)


def test_only_permitted_viewers_are_shown_anything(play: Play) -> None:
    """Bots' cards of an unfinished game may still matter; a finished one has no secrets."""
    left = play(Gargon(), 3, most=10)
    assert left.viewers == (0, 3)
    for viewer in (1, 2, EVERYTHING):
        with pytest.raises(ValueError, match="may not see this game"):
            ReplaySession(left).look(viewer)
        with pytest.raises(ValueError, match="may not see this game"):
            left.log(viewer)
    assert play(Garner()).viewers == (0, 1, 2, EVERYTHING)


def test_a_redacted_record_shows_its_owner_the_same(play: Play) -> None:
    """Steps of faces that were seen only later do not show them earlier."""
    whole = play(Gamon(), people=[])
    assert whole.path is not None
    text = redact(Gamon(), read_record(whole.path), 1)
    part = open_replay(Gamon(), parse_record(whole.path, text.encode()))
    assert part.viewers == (1, 2)
    for stop in whole.stops[::7]:
        views = [same(ReplaySession(replay, stop, 1).view()) for replay in (whole, part)]
        assert views[0] == views[1]


def test_stops_are_in_any_order_and_between_action_and_shuffle_there_is_none(play: Play) -> None:
    """Random access gives the same view as stepping there."""
    replay = play(Roses(), 3)
    session = ReplaySession(replay)
    stepped = {}
    while not session.is_at_end:
        stepped[session.step] = session.view()
        session.move(1)
    for step in Random(3).sample(sorted(stepped), 12):
        session.go(step)
        assert session.view() == stepped[step]
    shuffled = [n for n, step in enumerate(replay.steps) if isinstance(step.entry, Shuffled)]
    assert shuffled
    assert not {n - 1 for n in shuffled} & set(replay.stops)
    session.move(-10_000)
    assert session.step == 0


def test_a_step_with_a_beat_is_shown_at_the_beat_first(play: Play) -> None:
    replay = play(Hearts(), 4)
    session = ReplaySession(replay, viewer=0)
    trick = next(number for number, step in enumerate(replay.steps) if step.beats)
    session.go(trick - 1)
    before = session.view()
    session.move(1)
    assert session.step == trick
    assert cards_in_front(session.view()) == 4
    assert session.view().prompt.endswith("takes the trick")
    assert session.coming() is None
    session.move(1)
    assert (session.step, cards_in_front(session.view())) == (trick, 0)
    session.move(-1)
    assert cards_in_front(session.view()) == 4
    session.move(-1)
    assert session.view() == before


def test_a_replay_shows_the_beats_of_the_table(table: Callable[..., Table]) -> None:
    game = table(Hearts(), people=(0,), seats=4, pace=0.6).begin()
    model, shown = game.host.model(0), []
    while not any(game.referee._state.taken):
        if game.host.is_bots_turn:
            take_step(game)
        else:
            game.act(game.referee.seat)
        shown += [same(beat.view) for beat in model.table.beats]
    session = ReplaySession(replay_so_far(game.referee, [0]))
    session.go(session.replay.last)
    session.move(-1)
    assert [same(session.view())] == shown


def test_chapters_are_the_rounds_and_are_reached_one_after_another(play: Play) -> None:
    """Back goes to the beginning of the present chapter first."""
    session = ReplaySession(play(Gargon(), 3))
    firsts = [chapter.first for chapter in session.chapters]
    assert [chapter.mark for chapter in session.chapters] == [
        str(number) for number in range(1, len(firsts) + 1)
    ]
    for first in firsts[1:]:
        session.move_chapter(1)
        assert session.step == first
    session.move(2)
    session.move_chapter(-1)
    assert session.step == firsts[-1]
    session.move_chapter(-1)
    assert session.step == firsts[-2]


def test_the_coming_action_is_told_as_the_viewer_knew_it(play: Play) -> None:
    """The seat itself and the viewer of all cards read its name."""
    replay = play(Gargon(), 3, people=[0, 1, 2])
    texts = {}
    for viewer in (0, 1, EVERYTHING):
        coming = ReplaySession(replay, 0, viewer).coming()
        assert coming is not None
        assert coming.seat == 0
        texts[viewer] = coming.text
    assert texts[0] == texts[EVERYTHING] != texts[1]
    assert texts[1].startswith("Anna lays a ")
    assert ReplaySession(replay, replay.last).coming() is None


def test_a_hint_before_the_coming_action_has_no_consequence() -> None:
    referee = set_up(Gargon(), seat_bots(3, (0,)), {}, 5)
    referee.proceed()
    referee.note_hint("easy")
    referee.apply(referee.observe(0).legal()[0])
    replay = replay_so_far(referee, (0, EVERYTHING), None)
    first, second = (ReplaySession(replay, step, 0).coming() for step in (0, 1))
    assert first is not None
    assert second is not None
    assert (first.text, first.consequence) == ("Anna asks for a hint", "")
    assert second.consequence


def test_the_log_is_searched_from_the_current_step_and_around(play: Play) -> None:
    """A text that is not in the log does not change the step."""
    session = ReplaySession(play(Gamon()), viewer=2)
    assert session.find("GAMON!")
    first = session.step
    assert any("GAMON!" in line.text for line in session.log() if line.step == first)
    session.go(session.replay.last)
    assert session.find("gamon!")
    assert session.step == first
    assert not session.find("no such words")
    assert session.step == first


def test_decisions_are_the_steps_before_a_choice(play: Play) -> None:
    replay = play(Gamon())
    decisions = replay.decisions(0)
    assert decisions
    for step in decisions:
        taken = replay.action_after(step)
        assert isinstance(taken, Taken)
        assert taken.seat == 0
        assert len(replay.observe(step, 0).legal()) > 1
