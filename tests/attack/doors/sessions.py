"""Exits of sessions and replays: all that one viewer can ask of a table, as comparable data."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from cardhub.base.errors import RecordError
from cardhub.bots.asking import choose
from cardhub.bots.random_bot import RandomBot
from cardhub.play.host.replays.replay import Replay, replay_so_far
from cardhub.play.host.replays.stepping.playing_on import continued
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.referee import Referee
from cardhub.play.table_model import TableModel, TableReader
from cardhub.play.view_matching import read_choice
from cardhub.play.workers.client import InlineBotClient
from cardhub.view.view import View, encode

# Number of spots, actions and steps that are asked about in one look.
FEW = 8
TYPED = ("", "?", "0", "1", "-1", "99", "a1", "lay", "pass", "xyzzy", "#0", "a b c", "\x1b[2J")

Shown = Mapping[str, object]


def seated_at(referee: Referee[Any], viewer: int) -> tuple[Host, TableModel]:
    """Return a host of a game in progress, and the model of a viewer."""
    client = InlineBotClient(lambda seen: choose(RandomBot(Random(0)), seen))
    host = Host(referee, client, client, BlockingScheduler(), hint="random")
    return host, host.model(viewer)


def shown_by_session(host: Host, session: TableModel, rng: Random) -> Shown:
    """Return the view, the log and all answers of a session, by name."""
    # The game changes without the host, which counts only changes by its own actions.
    host.revision = host.step
    session.outdate()
    shown: dict[str, object] = {
        "log": session.log(),
        "news": session.log(since=rng.randrange(host.step + 1)),
        "course": session.status(),
        "undo": session.table.why_no_undo,
        "takeback": session.table.can_take_back,
        "summaries": session.unread_summaries(),
        "unseen cards": session.table.unseen,
        **dict(_answers(session, rng)),
        **dict(_reasons(session, rng)),
    }
    if not host.is_over:  # at the end all cards may be seen
        shown["result"] = session.result()
    steps, views = range(host.step + 1), list[View]()
    for step in rng.sample(steps, min(2, len(steps))):
        session.view_at(step, views.append)
    shown |= {f"view {number}": encode(view) for number, view in enumerate(views)}
    return shown


def shown_by_replay(referee: Referee[Any], viewer: int, rng: Random) -> Shown:
    """Return everything that a replay of a game in progress shows to its only viewer, by name."""
    replay = replay_so_far(referee, [viewer])
    session = ReplaySession(replay, rng.randrange(replay.last + 1))
    coming = session.coming()
    return {
        "log": session.log(),
        "stops": replay.stops,
        "chapters": session.chapters,
        "coming action": coming,
        "found": replay.find(rng.choice("aeiou"), viewer, session.step),
        "viewers": replay.viewers,
        "seed": session.seed(),
        "result": session.result(),
        "playing on": _refusal(replay, session.step),
        **dict(_answers(session, rng)),
    }


def _answers(session: TableReader, rng: Random) -> Iterator[tuple[str, object]]:
    """Yield the view, and what is shown of its spots and its actions."""
    view = session.view()
    yield "view", encode(view)
    spots = list(view.spots())
    for spot in rng.sample(spots, min(FEW, len(spots))):
        yield f"explanation of {spot}", _heard(session.explain, spot)
    for choice in view.choices[:FEW]:
        yield f"consequence of {choice.action}", _heard(session.consequence, choice.action)


def _reasons(session: TableModel, rng: Random) -> Iterator[tuple[str, object]]:
    """Yield the reasons for spots and typed texts, and a refusal."""
    view = session.view()
    spots = list(view.spots())
    for spot in rng.sample(spots, min(FEW, len(spots))):
        yield f"reason at {spot}", _heard(session.why_not, spot)
    for text in TYPED:
        yield f"reason for {text!r}", _heard(session.why_not, text)
        yield f"reading of {text!r}", read_choice(view, text)
    yield "refusal", _refused(session, rng.randrange(10))


def _heard(ask: Any, *asked: object) -> list[str]:
    answers: list[str] = []
    ask(*asked, answers.append)
    return answers


def _refused(session: TableModel, action: int) -> list[str]:
    """Return the refusal of an action for an old revision, which is never carried out."""
    return _heard(session.act, action, -1)


def _refusal(replay: Replay, step: int) -> str:
    try:
        continued(replay, step, replay.players)
    except RecordError as error:
        return str(error)
    return "" if replay.is_over else "an unfinished game is played on"
