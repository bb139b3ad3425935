"""The timeline, the viewpoints and the texts of a replay session."""

from collections.abc import Sequence

import msgspec

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.tui.keys import ALL_KEY, PUBLIC_KEY, SEAT_KEYS
from cardhub.tui.replay.timeline import ChapterMark, Timeline, Viewpoint, ViewpointRow
from cardhub.view.view import View


def timeline_of(session: ReplaySession, noted: Sequence[int]) -> Timeline:
    """Return the timeline at the present step, with the steps that have a note."""
    marks = [ChapterMark(chapter.mark, chapter.first) for chapter in session.chapters]
    return Timeline(session.replay.last, session.step, marks, noted)


def viewpoints_of(session: ReplaySession) -> ViewpointRow:
    """Return the permitted viewpoints, and whether the replay plays automatically."""
    players, viewers = session.replay.players, session.replay.viewers
    seats = len(players)
    keys = {EVERYTHING: ALL_KEY, seats: PUBLIC_KEY} | dict(enumerate(SEAT_KEYS[:seats]))
    names = {EVERYTHING: "all", seats: "public"}
    points = [
        Viewpoint(keys.get(viewer, ""), names.get(viewer) or players[viewer].name, viewer)
        for viewer in (*range(seats), EVERYTHING, seats)
        if viewer in viewers
    ]
    course = "paused" if session.is_paused else "playing"
    return ViewpointRow(points, session.viewer, f"{course} · {session.pace} s")


def replay_tag(session: ReplaySession) -> str:
    """Return the tag of the prompt bar: `REPLAY 78 of 214`."""
    return f"REPLAY {session.step} of {session.replay.last}"


def replay_view(session: ReplaySession) -> View:
    """Return the view with the coming action as the prompt, the chapter as the status."""
    view, coming = session.view(), session.coming()
    doing = coming.lines[0] if coming and coming.lines else view.prompt
    return msgspec.structs.replace(
        view,
        prompt=f"{view.title} · {'the game is over' if view.is_over else doing}",
        status=_chapter(session) or view.status,
        choices=(),
        phases=(),
    )


def coming_text(session: ReplaySession, note: str) -> str:
    """Return the note on the step, then the coming action and its consequence."""
    coming = session.coming()
    told = f"Next: {coming.text}. {coming.consequence}".strip() if coming else ""
    return " ".join(filter(None, (f"Note: {note}." if note else "", told)))


def news_text(session: ReplaySession) -> str:
    """Return the sentences since the stop before."""
    before = session.replay.stop_near(session.step - 1) if session.step else 0
    return " · ".join(line.text for line in session.log() if line.step > before)


def _chapter(session: ReplaySession) -> str:
    chapters = session.chapters
    here = [chapter for chapter in chapters if chapter.first <= session.step]
    if not here:
        return ""
    title = here[-1].title
    named = f"round {title}" if title.isdigit() else title
    # How many there will be is not known before the end.
    return f"{named} of {len(chapters)}" if session.replay.is_over else named
