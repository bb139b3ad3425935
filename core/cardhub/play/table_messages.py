"""Messages of a table to a viewer: the game in play, at a local table and over a network.

Each is one JSON object on the wire, and `type` is the name of the message.
"""

from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec

from cardhub.model.game.scene import Summary
from cardhub.play.advice import HintedAction, RatedAction
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View


# Messages never form reference cycles, so the garbage collector can skip them.
class ServerMessage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The base of all messages of a server, and of a table among them."""


class GameInfo(ServerMessage, frozen=True, kw_only=True, tag="game"):
    """The game of the table, sent before its first `table` and after a change of options.

    `opponents`: a line about each of the levels.
    """

    game: str
    title: str
    number: int
    catalogue: CardCatalogue
    rules: str
    levels: tuple[str, ...]
    opponents: Mapping[str, str] = {}


class TableStatus(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The status of a game: whether it is paused, its pace, and the bot that is thinking.

    `pace` is in seconds for each action of a bot. `thinking` is the number of seconds since the bot
    to act was asked, or None. `is_slow`: the bot has not answered for a long time, so people are
    asked whether to wait; `is_unresponsive`: it ignored the request to hurry. `fault`: the public
    text of a bot's fault, while the table waits for a decision about it. `failure`: why the game
    has stopped, because the record cannot be written.
    """

    is_paused: bool = False
    is_waiting: bool = False
    pace: float = 0
    thinking: float | None = None
    is_slow: bool = False
    is_unresponsive: bool = False
    fault: str | None = None
    failure: str | None = None


class BeatView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A viewer's table in the middle of a step, to be shown before the view after the step.

    The prompt of `view` is a sentence about the beat; its `to_act` is the seat that stands out, or
    negative. `seconds`: the time to read it at the table's pace.
    """

    step: int
    seconds: float
    view: View


class LessonComment(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What a lesson says at a decision of the learner: paragraphs in order.

    `suggested`: the suggested action, or None after the script. `spots`: what the paragraphs are
    about.
    """

    lines: tuple[str, ...]
    suggested: int | None = None
    spots: tuple[Spot, ...] = ()


class TableMessage(ServerMessage, frozen=True, kw_only=True, tag="table"):
    """The complete view of the viewer, with everything that depends on it.

    A server may skip some of these messages for a slow client, but never the latest one.
    `is_forced`: the table plays the person's turns with a single legal action automatically.
    `beats`: the beats of the last action; a front end shows them once. `comment`: only in a lesson.
    """

    view: View
    status: TableStatus
    why_no_undo: str = ""
    can_take_back: bool = False
    is_forced: bool = False
    summaries: tuple[Summary, ...] = ()
    unseen: tuple[str, ...] = ()
    result: ResultView | None = None
    seed: str = ""
    beats: tuple[BeatView, ...] = ()
    comment: LessonComment | None = None


class LogMessage(ServerMessage, frozen=True, kw_only=True, tag="log"):
    """The lines of the log from step `since` on, which replace the viewer's lines from there.

    `since` is 0 for the whole log. Lines are joined, so the last ones may change.
    """

    since: int
    lines: tuple[LogLine, ...]


class HintMessage(ServerMessage, frozen=True, kw_only=True, tag="hint"):
    """At most three actions, the best first; without a hint `why_none` gives the reason.

    `why`: a sentence on the steps that the bot expects after the best action; it may be empty.
    `ratings`: the numbers behind the hint, of all rated actions; the text of a value is in the
    game's unit or a percentage.
    """

    bot: str = ""
    actions: tuple[HintedAction, ...] = ()
    ratings: tuple[RatedAction, ...] = ()
    why: str = ""
    why_none: str = ""


class ReviewedMove(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A move of a person: the step before it, the names of it and of the bot's best action.

    Where the bot would mix several actions, `best` names them all, or only the one that was taken.
    `comparison`: a sentence on how much better the best one is, or empty.
    """

    step: int
    taken: str
    best: str
    comparison: str = ""


class ReviewMessage(ServerMessage, frozen=True, kw_only=True, tag="review"):
    """The review of a person's moves by a bot, after `done` of `total` decisions.

    `moves`: at most three, the costliest first. `agreed`: in how many of the decisions the bot
    would have done the same. `why_none`: why the review is not possible, or why it has ended.
    `can_play_on`: the person can play on from these moves at a practice table.
    """

    bot: str = ""
    done: int = 0
    total: int = 0
    moves: tuple[ReviewedMove, ...] = ()
    agreed: int = 0
    why_none: str = ""
    can_play_on: bool = False


class AnswerMessage(ServerMessage, frozen=True, kw_only=True, tag="answer"):
    """The answer to `explain`, `why` or `consequence`, or to `retry` with an action."""

    id: int
    text: str


class PastView(ServerMessage, frozen=True, kw_only=True, tag="past"):
    """The view after a past step, or None if the step does not exist or cannot be retried."""

    id: int
    view: View | None


class Refused(ServerMessage, frozen=True, kw_only=True, tag="refused"):
    """Why a message had no effect: the problem, then `fix: …`.

    `id`: the id of the refused message.
    """

    why: str
    id: int = 0


# The messages that answer a command, and all messages about a game in play.
Reply = AnswerMessage | PastView | HintMessage | ReviewMessage | Refused
GameMessage = TableMessage | LogMessage | Reply
OnReply = Callable[[Reply], None]


class GameOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What counts of a finished game for its only person.

    `against` lists the bots' specs, each once. `is_helped`: hints or undo were used. `won` is 1, 0,
    or the share of a shared first place; None if players have no opponents.
    """

    game: Annotated[str, msgspec.Meta(max_length=200)]
    against: Annotated[str, msgspec.Meta(max_length=400)]
    is_helped: bool
    score: Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
    won: Annotated[float, msgspec.Meta(ge=0, le=1)] | None
