"""The page of a running match: the live table for browsers, which updates every two seconds."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from http.server import BaseHTTPRequestHandler
from string import Template
from typing import Any

from typing_extensions import override

from cardhub.base.errors import MatchError
from cardhub.base.errors.quoting import printable
from cardhub.base.http_server import HttpServer, send_answer, serving
from cardhub.cli.match.live_display import (
    COLUMNS,
    LiveState,
    column_head,
    progress_text,
    table_rows,
    test_lines,
)

# Only browsers on this machine.
HOST = "127.0.0.1"
# Seconds that a browser may take to send its request.
PATIENCE = 10.0
# The script replaces the table; without an answer it shows that the match has ended.
PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$name</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
progress { width: 100%; }
.table { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; white-space: nowrap; }
th { font-weight: normal; opacity: .7; }
.right { text-align: right; font-variant-numeric: tabular-nums; }
</style>
<h1>$name</h1>
<p id="ended" hidden>The match has ended or was interrupted. Its folder has the report.</p>
<main>
<p>$progress</p>
<progress max="$all_blocks" value="$blocks"></progress>
<div class="table"><table>
<thead><tr>$heads</tr></thead>
<tbody>
$rows
</tbody>
</table></div>
$below
</main>
<script>
const timer = setInterval(async () => {
  try {
    const text = await (await fetch("/")).text();
    const page = new DOMParser().parseFromString(text, "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  } catch {
    document.querySelector("#ended").hidden = false;
    clearInterval(timer);
  }
}, 2000);
</script>
</html>
""")


@contextmanager
def page_server(live_state: LiveState, port: int) -> Iterator[str]:
    """Serve the page of a match to this machine, and yield its address.

    `port`: 0 for any free one. Raises MatchError if the port is in use, or not allowed.
    """
    try:
        server = HttpServer((HOST, port), partial(_PageHandler, live_state))
    except OSError as error:
        raise MatchError(
            f"port {port} cannot be used for the page of the match: {error.strerror}\n"
            "fix: --serve with another port, or 0 for any free one"
        ) from error
    with serving(server):
        yield f"http://{HOST}:{server.server_port}/"


def live_page(live_state: LiveState) -> str:
    """Return the page of a match as it is now."""
    rows = (row for scores in live_state.scores.values() for row in table_rows(live_state, scores))
    return PAGE.substitute(
        name=_text(live_state.match.name),
        progress=_text(progress_text(live_state)),
        all_blocks=max(live_state.all_blocks, 1),
        blocks=live_state.blocks,
        heads=_cells("th", (column_head(live_state, head) for head in COLUMNS)),
        rows="\n".join(f"<tr>{_cells('td', row)}</tr>" for row in rows),
        below="\n".join(f"<p>{_text(line)}</p>" for line in test_lines(live_state)),
    )


def _cells(tag: str, texts: Iterable[str]) -> str:
    return "".join(
        f"<{tag}{' class=right' if side == 'right' else ''}>{_text(text)}</{tag}>"
        for side, text in zip(COLUMNS.values(), texts, strict=True)
    )


def _text(text: str) -> str:
    return escape(printable(text))


class _PageHandler(BaseHTTPRequestHandler):
    timeout = PATIENCE

    def __init__(self, live_state: LiveState, *args: Any) -> None:
        self._live_state = live_state
        super().__init__(*args)  # answers the request

    def do_GET(self) -> None:  # the name that the base class calls
        """Send the page, which is the only one."""
        if self.path != "/":
            self.send_error(404)
            return
        page = live_page(self._live_state).encode()
        send_answer(self, page, "text/html; charset=utf-8", {"Cache-Control": "no-store"})

    @override
    def log_message(self, *_: object) -> None:
        pass  # stderr has the live table
