"""The data of a replay page: views, logs and the result, for each permitted viewer."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from cardhub.play.host.replays.replay import Chapter, Replay
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.replays.stepping.replay_session import ComingAction, ReplaySession
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View

# Version of the JSON form.
REPLAY_PAGE_VERSION = 1


class ReplayStop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table at one stop of a replay, as one viewer saw it.

    `step`: counts from 0, the deal. `coming`: sentences on the next action, as the viewer saw them.
    `coming_spots`: the spots of the view that the next action refers to. `beats`: the table at the
    beats between the previous stop and this one.
    """

    step: int
    view: View
    coming: str = ""
    coming_spots: tuple[Spot, ...] = ()
    beats: tuple[View, ...] = ()


class ReplayMark(msgspec.Struct, frozen=True, kw_only=True):
    """A notable step, which is marked on the timeline, with a sentence on it."""

    step: int
    kind: Literal["turning point", "fault", "mistake", "said"]
    text: str


class ReplayViewer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a permitted viewer saw of a game; `viewer` is numbered as in `View`."""

    viewer: int
    name: str
    stops: tuple[ReplayStop, ...]
    log: tuple[LogLine, ...]
    chapters: tuple[Chapter, ...] = ()
    marks: tuple[ReplayMark, ...] = ()
    result: ResultView | None = None


class ReplayData(msgspec.Struct, frozen=True, kw_only=True):
    """The whole content of a replay page.

    `heading` and `facts`: where the game was played; facts are pairs of caption and text. `back`:
    the relative address of a page that links here, or empty. `first`: the index of the viewer
    shown first. `step`: the step shown first.
    """

    version: int = REPLAY_PAGE_VERSION
    title: str
    heading: str
    facts: tuple[tuple[str, str], ...]
    catalogue: CardCatalogue
    viewers: tuple[ReplayViewer, ...]
    first: int = 0
    step: int = 0
    back: str = ""


def build_replay_data(
    replay: Replay,
    *,
    viewer: int | None = None,
    facts: Sequence[tuple[str, str]] = (),
    marks: Sequence[ReplayMark] = (),
    back: str = "",
    ending: str = "",
) -> ReplayData:
    """Return the data of a replay page.

    `viewer`: the viewer shown first, by default the replay's viewer; ValueError if the viewer is
    not permitted. `facts`: captions and texts that say where the game was played. `marks`: marks in
    addition to the turning points. `back`: the relative address of the page that links here.
    `ending`: the sentence on the result if the game did not end by its rules, for example because
    a match ended it.
    """
    shown = replay.viewer if viewer is None else viewer
    ending = "" if replay.is_over else ending
    players = [player.name for player in replay.players]
    return ReplayData(
        title=f"{replay.game.title}: {', '.join(players)}",
        heading=replay.game.title,
        facts=tuple(facts),
        catalogue=build_catalogue(replay.game),
        viewers=tuple(_viewer(replay, permitted, marks, ending) for permitted in replay.viewers),
        first=replay.viewers.index(shown),
        back=back,
    )


def _viewer(replay: Replay, viewer: int, marks: Sequence[ReplayMark], ending: str) -> ReplayViewer:
    session = ReplaySession(replay, viewer=viewer)
    session.has_choices = False  # past choices cannot be taken, and take time to compute
    result = _result(replay, viewer, ending)
    turning_points = (
        ReplayMark(step=point.step, kind="turning point", text=point.text)
        for point in result.turning_points
    )
    return ReplayViewer(
        viewer=viewer,
        name=replay.viewer_name(viewer),
        stops=tuple(_stops(session)),
        log=tuple(replay.log(viewer)),
        chapters=tuple(_chapters(session)),
        marks=tuple(sorted((*turning_points, *marks), key=lambda mark: mark.step)),
        result=result,
    )


def _stops(session: ReplaySession) -> Iterator[ReplayStop]:
    for step in session.replay.stops:
        session.go(step)
        coming = session.coming()
        yield ReplayStop(
            step=step,
            view=session.view(),
            coming=_coming_text(coming, session) if coming else "",
            coming_spots=tuple(coming.spots) if coming else (),
            beats=tuple(session.beat_views()),
        )


def _coming_text(coming: ComingAction, session: ReplaySession) -> str:
    consequence = coming.consequence
    # The text addresses the seat: "then you may lay another card".
    if consequence and session.viewer != coming.seat:
        consequence = f"{session.replay.players_at(session.step)[coming.seat].name}: {consequence}"
    return " ".join(filter(None, (as_sentence(coming.text), consequence)))


def _chapters(session: ReplaySession) -> Iterator[Chapter]:
    for chapter in session.chapters:
        title = f"round {chapter.title}" if chapter.title.isdigit() else chapter.title
        yield Chapter(title, chapter.first)


def _result(replay: Replay, viewer: int, ending: str) -> ResultView:
    result = build_result(replay, viewer)
    # The path shows folders of this machine, and the time depends on its speed: drop both.
    sentence = ending or result.sentence
    return msgspec.structs.replace(result, path="", seconds=None, sentence=sentence)
