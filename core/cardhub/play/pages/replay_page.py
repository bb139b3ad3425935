"""A replay as a self-contained HTML page, which also works from a file and without a network.

The data of the page are compressed, and equal parts of views are stored once.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from zlib import compress

import msgspec

from cardhub.base.files import numbered_paths, write_unused
from cardhub.play.host.replays.replay import Replay
from cardhub.play.pages.building_data import ReplayData, ReplayStop, ReplayViewer, build_replay_data
from cardhub.play.pages.bundle import bundle_modules, bundle_styles
from cardhub.view.view import View

# The page loads no files, and only the script and the style with these hashes are allowed. The icon
# is empty, because otherwise browsers request one from the server.
POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="{description}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="replay"></div>
<noscript>
{text}
</noscript>
<script type="text/plain" id="replay-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
# Fields of a view that rarely change between stops; each value is stored once, as a part.
SHARED = ("players", "counters", "tallies")
ALONE = ("areas", *SHARED, "revision")


def replay_html(data: ReplayData) -> str:
    """Return a replay as an HTML string; the same data give the same text.

    It contains all data for their viewers, and no other data of the game.
    """
    script, style = _assets()
    policy = POLICY.format(script=_hash(script), style=_hash(style))
    result = _first(data).result
    facts = ", ".join(f"{caption} {text}" for caption, text in data.facts)
    description = ". ".join(filter(None, (data.title, facts, result.sentence if result else "")))
    return PAGE.format(
        policy=policy,
        title=escape(data.title),
        description=escape(description),
        style=style,
        text="\n".join(_page_text(data)),
        data=compressed(data),
        script=script,
    )


def page_version() -> str:
    """Return a digest of the scripts and styles of all pages."""
    return _hash("".join((PAGE, POLICY, *_assets())))


@lru_cache(maxsize=1)
def _assets() -> tuple[str, str]:
    """Return the script and the style of all pages."""
    script = bundle_modules("replay/main.js")
    style = bundle_styles(("table/styles", "replay/styles"))
    return f'(() => {{\n"use strict";\n{script}\nstartReplay(document);\n}})();\n', style


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"


def _page_text(data: ReplayData) -> Iterator[str]:
    """Yield the lines of HTML with the log and the result, for browsers without JavaScript."""
    viewer = _first(data)
    yield f"<h1>{escape(data.title)}</h1>"
    if data.back:
        yield f'<p><a href="{escape(data.back)}">Back to the report</a></p>'
    facts = "; ".join(f"{caption}: {text}" for caption, text in data.facts)
    if facts:
        yield f"<p>{escape(facts)}</p>"
    yield from _result_text(viewer)
    yield f"<p>The game as seen by {escape(viewer.name)}. The table needs JavaScript.</p>"
    yield "<ol>"
    for line in viewer.log:
        if line.text:
            yield f'<li value="{line.step}">{escape(line.text)}</li>'
    yield "</ol>"


def _result_text(viewer: ReplayViewer) -> Iterator[str]:
    result = viewer.result
    if result is None:
        return
    yield f"<p>{escape(result.sentence)}</p>"
    scores = [f"{column.name} {column.score}" for column in result.columns if column.score]
    if scores:
        yield f"<p>{escape(', '.join(scores))} {escape(result.unit)}</p>"


def _first(data: ReplayData) -> ReplayViewer:
    return data.viewers[data.first]


def compressed(data: ReplayData) -> str:
    """Return the data as base64 of zlib-compressed JSON; the same data give the same text."""
    parts = _Parts()
    viewers = [_viewer(viewer, parts) for viewer in data.viewers]
    rest = {name: getattr(data, name) for name in data.__struct_fields__ if name != "viewers"}
    text = msgspec.json.encode({**rest, "viewers": viewers, "parts": parts.listed})
    return b64encode(compress(text, 9)).decode("ascii")


class _Parts:
    """Distinct parts, in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    @property
    def listed(self) -> list[msgspec.Raw]:
        return [msgspec.Raw(part) for part in self._numbers]

    def number(self, part: object) -> int:
        encoded = msgspec.json.encode(part)
        return self._numbers.setdefault(encoded, len(self._numbers))

    def numbers(self, parts: Iterable[object]) -> list[int]:
        return [self.number(part) for part in parts]


def _viewer(viewer: ReplayViewer, parts: _Parts) -> dict[str, Any]:
    fields = {name: getattr(viewer, name) for name in viewer.__struct_fields__}
    return {**fields, "stops": [_stop(stop, parts) for stop in viewer.stops]}


def _stop(stop: ReplayStop, parts: _Parts) -> list[object]:
    """Return step, view, coming action, its spots, and the views of the beats."""
    beats = [_view(beat, parts) for beat in stop.beats]
    return [stop.step, _view(stop.view, parts), stop.coming, stop.coming_spots, beats]


def _view(view: View, parts: _Parts) -> list[object]:
    """Return the numbers of a view without its parts, of its areas and of its shared parts."""
    base = {name: getattr(view, name) for name in view.__struct_fields__ if name not in ALONE}
    shared = parts.numbers(getattr(view, name) for name in SHARED)
    return [parts.number(base), parts.numbers(view.areas), shared]


def save_page(replay: Replay, viewer: int, folder: Path | None = None) -> Path:
    """Write the page of a replay to a new file and return its path; raises OSError.

    `viewer` is shown first. The page goes into the record's folder; a replay without a record file
    goes into `folder`, or into the current folder if that is None.
    """
    stem = replay.path.stem if replay.path else replay.game.name
    place = replay.path.parent if replay.path else (folder or Path.cwd())
    return write_unused(numbered_paths(place, stem, ".html"), shared_html(replay, viewer))


def shared_html(replay: Replay, viewer: int) -> str:
    """Return the page of a replay, limited to viewers who may share one page.

    These are all viewers if all cards have been opened, or if `viewer` sees them; else `viewer` and
    the spectator.
    """
    return replay_html(build_replay_data(replay.limited(_shared(replay, viewer), viewer)))


def _shared(replay: Replay, viewer: int) -> tuple[int, ...]:
    if replay.sees_all(viewer):
        return replay.viewers
    # People must not see the hands of others.
    spectator = len(replay.players)
    return tuple(seen for seen in replay.viewers if seen in (viewer, spectator))
