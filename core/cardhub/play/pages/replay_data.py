"""Schema of the data in a replay page: the views, logs and result of every permitted viewer."""

from typing import Literal

import msgspec

from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, View

# Version of the JSON form.
REPLAY_PAGE_VERSION = 1


class ReplayStop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table at one stop of a replay, as one viewer saw it.

    `step` counts from 0, the deal. `coming` has the sentences on the next action, in the words for
    the viewer; `coming_spots` are the spots of the view that it refers to.
    """

    step: int
    view: View
    coming: str = ""
    coming_spots: tuple[Spot, ...] = ()


class ReplayChapter(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the game: its title and its first step."""

    title: str
    first: int


class ReplayMark(msgspec.Struct, frozen=True, kw_only=True):
    """A step worth a look, marked on the timeline, with a sentence on it."""

    step: int
    kind: Literal["turning point", "fault", "mistake"]
    text: str


class ReplayViewer(msgspec.Struct, frozen=True, kw_only=True):
    """All that one permitted viewer saw of a game; `viewer` as in `View`."""

    viewer: int
    name: str
    stops: tuple[ReplayStop, ...]
    log: tuple[LogLine, ...]
    chapters: tuple[ReplayChapter, ...] = ()
    marks: tuple[ReplayMark, ...] = ()
    result: ResultView | None = None


class ReplayData(msgspec.Struct, frozen=True, kw_only=True):
    """The whole content of a replay page.

    `heading` and `facts` (captions with texts) describe the origin of the game; `back` is the
    relative address of a page that leads here, empty for none. `first` is the index of the viewer
    who is shown first, `step` the step that is shown first.
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
