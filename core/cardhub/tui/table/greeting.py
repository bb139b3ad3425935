"""What the log shows until the person acts: the key of the rules, and the command of a lesson."""

from collections.abc import Sequence

from cardhub.play.host.table_host import Host
from cardhub.view.explain.card_texts import sentences
from cardhub.view.view import LogLine, View

HELP = "Press ? for the rules and the keys."
LESSON = "New to {title}? Your first hand with comments: cardhub learn {name}"


def greeting_of(host: Host) -> Sequence[str]:
    """Return the lines that greet a person at a table."""
    lesson = LESSON.format(title=host.title, name=host.game)
    return (sentences(host.aim, HELP), *([lesson] if host.has_lesson else []))


def with_greeting(log: Sequence[LogLine], greeting: Sequence[str], view: View) -> Sequence[LogLine]:
    """Return a log after the lines of a greeting, or the log alone once the viewer has acted."""
    if any(line.seat == view.viewer for line in log):
        return log
    return [*(LogLine(step=0, seat=-1, kind="seating", text=text) for text in greeting), *log]
