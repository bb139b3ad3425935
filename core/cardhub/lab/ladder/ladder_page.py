"""The list of ratings of a ladder as a self-contained page and as JSON."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import to_builtins

from cardhub.lab.ladder.ladder import LadderRow, WorkerRow
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.report.rendering import STYLE, content_policy, environment, inlined

PAGE, RATINGS = "ladder.html", "ratings.json"


class LadderList(NamedTuple):
    """The list of ratings with its facts: the game, the level of intervals, and what was played."""

    game: str
    players: int
    level: float
    meetings: int
    games: int
    rows: Sequence[LadderRow]
    workers: Sequence[WorkerRow] = ()

    def facts(self) -> dict[str, Any]:
        """Return the list as data for JSON."""
        rows = [row._asdict() | {"elo": to_builtins(row.elo)} for row in self.rows]
        workers = [worker._asdict() for worker in self.workers]
        return self._asdict() | {"rows": rows, "workers": workers}


def write_list(folder: Path, ladder: LadderList) -> Path:
    """Write the page and the JSON into the folder, and return the page; raises MatchError."""
    replace_file(folder / RATINGS, json.dumps(ladder.facts(), indent=2, ensure_ascii=False) + "\n")
    env = environment(is_html=True)
    style = Markup(inlined(env, STYLE))
    text = env.get_template("ladder.html.jinja").render(
        ladder=ladder, style=style, policy=content_policy(style)
    )
    replace_file(folder / PAGE, text)
    return folder / PAGE
