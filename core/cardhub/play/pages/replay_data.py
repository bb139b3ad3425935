"""Schema of the data in a replay page: views, logs and result for each permitted viewer."""

from typing import Literal

import msgspec

from cardhub.play.host.replays.replay import Chapter
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, View

# Version of the JSON form.
REPLAY_PAGE_VERSION = 1


class ReplayStop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table at one stop of a replay, as one viewer saw it.

    `step`: counts from 0, the deal. `coming`: sentences on the next action, as the viewer saw them.
    `coming_spots`: the spots of the view that the next action refers to.
    """

    step: int
    view: View
    coming: str = ""
    coming_spots: tuple[Spot, ...] = ()


class ReplayMark(msgspec.Struct, frozen=True, kw_only=True):
    """A notable step, which is marked on the timeline, with a sentence on it."""

    step: int
    kind: Literal["turning point", "fault", "mistake"]
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
