"""Commands to a table: what a viewer asks of a game in play, at a local table and over a network.

Each is one JSON object on the wire, and `type` is the name of the command. The answers to
`explain`, `why`, `consequence`, `past` and `retry` carry the `id` of the question. A refusal
carries the `id` of the refused command, or 0 if the command has none. An action names the revision
of the view that it was chosen from; a table refuses actions for an older revision.
"""

from typing import Annotated, Literal

import msgspec

from cardhub.view.view import Spot

Id = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Action = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
# The longest typed text that a question can be about, in characters.
LONGEST_SUBJECT = 200

# A request about the pace of the game. `skip`: bots act without delay until the person's turn, or
# one bot does while paused; it also retries after a fault, and stops a bot that ignored an earlier
# `skip`. `step`: bots take one action; `retry` and `stop`: retry or stop the bot that failed or
# does not answer; `wait`: keep waiting for a slow bot; `read`: summaries acknowledged, bots may
# continue.
PaceRequest = Literal["pause", "resume", "step", "skip", "retry", "stop", "wait", "read"]


class ClientMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all messages of a client, commands to a table among them."""


class Act(ClientMessage, frozen=True, kw_only=True, tag="act"):
    """An action that the viewer chose at a revision of the view."""

    action: Action
    rev: Id
    id: Id = 0


class Undo(ClientMessage, frozen=True, kw_only=True, tag="undo"):
    """Request to undo the person's last action if no other person has to agree."""

    id: Id = 0


class AskHint(ClientMessage, frozen=True, kw_only=True, tag="hint"):
    """Request for a hint.

    `hurry`: the bot stops searching and answers with the best action that it knows. `cancel`: drop
    the question.
    """

    request: Literal["ask", "hurry", "cancel"] = "ask"


class AskReview(ClientMessage, frozen=True, kw_only=True, tag="review"):
    """Request for a review of the person's moves in the finished game; `cancel` ends it.

    Each decision that is rated is answered by `review`.
    """

    request: Literal["ask", "cancel"] = "ask"


class AskExplain(ClientMessage, frozen=True, kw_only=True, tag="explain"):
    """Request for the description of a spot, answered by `answer`.

    It is a title, and for a card a second line with text, faces and place.
    """

    id: Id
    spot: Spot


class AskWhy(ClientMessage, frozen=True, kw_only=True, tag="why"):
    """Question why a spot or a typed text is not a legal action, answered by `answer`."""

    id: Id
    subject: Spot | Annotated[str, msgspec.Meta(max_length=LONGEST_SUBJECT)]


class AskConsequence(ClientMessage, frozen=True, kw_only=True, tag="consequence"):
    """Request for the consequence of a legal action, answered by `answer`, maybe with no text."""

    id: Id
    action: Action


class AskPast(ClientMessage, frozen=True, kw_only=True, tag="past"):
    """Request for the view after a past step, answered by `past`."""

    id: Id
    step: Id


class AskRetry(ClientMessage, frozen=True, kw_only=True, tag="retry"):
    """Request to take a decision of the review again, named by its step.

    Without `action`, it is answered by `past`: the view at the decision, with its choices. With
    `action`, it is answered by `answer`: how the new choice compares with the old and the best one.
    """

    id: Id
    step: Id
    action: Action | None = None


class PaceCommand(ClientMessage, frozen=True, kw_only=True, tag="pace"):
    """Request to pause, resume or otherwise pace the game.

    At a server's table everybody may send `read` (their own summaries are acknowledged); the other
    commands are for the owner.
    """

    command: PaceRequest


class SetPace(ClientMessage, frozen=True, kw_only=True, tag="set_pace"):
    """Request to change the minimum number of seconds for each action of a bot."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=10)]


class PlayForced(ClientMessage, frozen=True, kw_only=True, tag="forced"):
    """Whether the table plays the person's turns with a single legal action automatically."""

    is_on: bool


Question = AskExplain | AskWhy | AskConsequence | AskPast | AskRetry
PaceChange = PaceCommand | SetPace | PlayForced
TableCommand = Act | Undo | AskHint | AskReview | Question | PaceChange
# A practice game is not reviewed.
PracticeCommand = Act | Undo | AskHint | AskExplain | AskWhy | AskConsequence | AskPast | PaceChange
