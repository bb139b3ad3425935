"""The exceptions of cardhub.

```
CardhubError
├── CardFileError          a card file is invalid; lists all problems
├── OptionError            an option is unknown or has an invalid value
├── IllegalActionError     an action is not legal in this state
├── HiddenFaceError        code read a face that is hidden from its seat
│   └── PrivateValueError  code read another seat's row of a private field
├── SceneError             a scene shows a card, seat or mark that cannot be shown
├── DeterminizationError   no determinization is consistent with the observation
├── RecordError            a record cannot be read or replayed
├── SeatingError           players do not fit the seats of the game
├── PluginError            a plugin, game or bot is unknown or broken
├── MissingLibraryError    an optional library is not installed
├── SandboxError           the sandbox is not available on this system
├── LimitsError            the limits of bots are not available on this system
├── AuthoringError         the package of a new game cannot be written
├── RemoteError            a table of a server cannot be reached or joined, or sent nonsense
├── LayoutError            an observation, array or model does not fit a layout of arrays
├── EpisodeError           a game or a bot failed at a table of a vector environment
├── SolvingError           a game is too large to be solved, or cannot be
├── MatchError             a match cannot be started, resumed or verified
│   ├── RulesError             the rules have changed during a match
│   └── MatchFileError     a match file is invalid; lists all problems
│       └── LeagueFileError    a league file is invalid; lists all problems
└── BotError               a bot cannot be made, or failed
    └── BotFaultError      a fault of a bot; `fault` is its kind:
        ├── BotHelloError       hello      a program failed the handshake
        ├── BotGarbageError     garbage    a program wrote an invalid message
        ├── BotIllegalError     illegal    the answer is not a legal action
        ├── BotTimeoutError     timeout    no answer within the time limit
        ├── BotCrashError       crash      a program exited
        ├── BotPipeError        pipe       a program closed its output, but still runs
        ├── BotMemoryError      memory     a process was killed at the limit of memory
        ├── BotProcessesError   processes  a program ended after the limit of processes was reached
        ├── BotRefusalError     refusal    a program or model refused to answer
        ├── BotUnclearError     unclear    a model named no action of the game
        ├── BotUnfinishedError  unfinished the answer of a model was cut off
        ├── BotProviderError    provider   the server of a model gave no answer; no decision
        └── BotExceptionError   exception  a bot raised an exception
```

Programming errors stay `AssertionError`, `TypeError` or `ValueError`. Only `cardhub.cli` turns
exceptions into messages and exit codes.
"""

from collections.abc import Mapping
from typing import ClassVar, Self

from cardhub.base.errors.source_lines import raising_line

# By method of a game or bot, the remedy if it reads a face that its seat has not seen.
AS_BACK = "show it as a back: an Area draws it so, and names.card() and names.phrase() call it so"
PUBLIC = "what is public afterwards must come from faces all have seen, or from state.answer"
RULED_OUT = "rule out faces by what all players know; the rules record it in the state"
IF_KNOWN = "ask state.has_private(seat) first"
DISCLOSED = "what is public must come from what all know: state.disclose(number) makes a number so"
SAMPLED = "read faces of observation.determinize(rng), or ask labels().is_known(token) first"
REMEDIES: Mapping[str, str] = {
    **dict.fromkeys(("scene", "narration", "summary", "why_not"), AS_BACK),
    **dict.fromkeys(("apply", "chance_weights", "legal"), PUBLIC),
    **dict.fromkeys(("allows", "possible"), RULED_OUT),
    **dict.fromkeys(("advise", "choose"), SAMPLED),
}
# The same for a read of another seat's private value.
PRIVATE_REMEDIES: Mapping[str, str] = {
    **dict.fromkeys(REMEDIES, DISCLOSED),
    "scores": DISCLOSED,
    **dict.fromkeys(("scene", "narration", "summary", "why_not"), IF_KNOWN),
    **dict.fromkeys(("advise", "choose"), SAMPLED),
}


class CardhubError(Exception):
    """The base class of all exceptions of cardhub."""


# Not an Exception: third-party code that catches all exceptions must not catch this one.
class Interruption(BaseException):
    """An exception raised asynchronously in third-party code, e.g. at a deadline: not its fault."""


class CardFileError(CardhubError):
    """A card file is invalid.

    `problems` holds one line `file:line:column: message` per problem, in the order of the file.
    """

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class OptionError(CardhubError):
    """An option is unknown or has an invalid value; the message lists the valid ones."""


class IllegalActionError(CardhubError):
    """An action is not legal in this state.

    The message of the referee contains no card and is safe to show to all players. `action` is the
    rejected action; `Observation.refusal` returns the message for one viewer. `full` is the message
    for viewers who may see every card, by default the message itself.
    """

    def __init__(self, message: str, action: object = None, full: str = "") -> None:
        super().__init__(message)
        self.action = action
        # Empty by default: without hidden cards there is one message for all viewers.
        self.full = full or message


class HiddenFaceError(CardhubError):
    """Code read the face of `token`, which is hidden from its seat.

    The message names the line of the game or bot that read it, the last action (`step`), if it is
    known, and the remedy for its method.
    """

    remedies: ClassVar[Mapping[str, str]] = REMEDIES

    def __init__(self, message: str, token: int = -1) -> None:
        super().__init__(message)
        self.token = token
        self.step = ""

    # Only if the message is read: OpenSpiel's trees raise this for every card still to be dealt.
    def __str__(self) -> str:
        line = raising_line(self.__traceback__)
        method = (
            next((name for name in line.functions if name in self.remedies), "") if line else ""
        )
        where = [str(line) + (f" in {method}" if method else "")] if line else []
        notes = ", ".join([*where, self.step] if self.step else where)
        remedy = f". fix: {self.remedies[method]}" if method else ""
        return f"{self.args[0]}{f' ({notes})' if notes else ''}{remedy}"


class PrivateValueError(HiddenFaceError):
    """Code read a row of a private field, which only another seat knows."""

    remedies = PRIVATE_REMEDIES


class SceneError(CardhubError):
    """A scene cannot be shown; the message names the game's line and the remedy."""


class DeterminizationError(CardhubError):
    """No assignment of the unseen faces is consistent with the public information."""


class RecordError(CardhubError):
    """A record is damaged, edited or of another version; the message has file and line."""


class RecordExistsError(RecordError):
    """A new record cannot begin, because its file exists."""


class SeatingError(CardhubError):
    """There are too many or too few players, or two with the same name."""


class PluginError(CardhubError):
    """A plugin is unknown, broken or clashes with another; the message names it."""


# An ImportError too, because optional imports treat it as a missing module.
class MissingLibraryError(CardhubError, ImportError):
    """A library of one of cardhub's extras is not installed; the message names it."""


class SandboxError(CardhubError):
    """The sandbox is not available on this system; the message has the reason and a remedy."""


class LimitsError(CardhubError):
    """The limits of memory, processors or processes are not available on this system."""


class AuthoringError(CardhubError):
    """The package of a new game cannot be written; the message has the reason."""


class RemoteError(CardhubError):
    """A table of a server cannot be reached or joined, or its server breaks the protocol."""


class LayoutError(CardhubError, ValueError):
    """An observation, array or model does not fit a layout of arrays; the message has a remedy."""


class EpisodeError(CardhubError):
    """A game or a bot failed at a table of a vector environment; the message names the table."""


class SolvingError(CardhubError):
    """A game is too large to be solved, or cannot be; the message has the reason."""


class MatchError(CardhubError):
    """A match cannot be played, or a log belongs to another match; the message has the reason."""


class RulesError(MatchError):
    """The rules are not those with which a match began; the message says what has changed."""


class MatchFileError(MatchError):
    """A match file is invalid.

    `problems` holds one line `file:line:column: message` per problem, in the order of the file.
    """

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class LeagueFileError(MatchFileError):
    """The file of a league is invalid; `problems` as in MatchFileError."""


class AssignmentFileError(MatchFileError):
    """The file of an assignment is invalid; `problems` as in MatchFileError."""


class BotError(CardhubError):
    """A bot cannot be made, or did not return a legal action; the message names the bot."""


class NoNetworkError(BotError):
    """A game ships no network for a table."""


class BotFaultError(BotError):
    """A fault of a bot during a request; `fault` is its kind.

    The message, `answer` (the bot's answer, if any) and `details` (a traceback, or the last lines
    of a program's stderr) may contain the cards of its seat: they are for the bot's author. Other
    players see `public`, which follows the name of the bot.
    """

    fault: ClassVar[str] = "fault"
    public: ClassVar[str] = "failed"

    def __init__(self, message: str, answer: object = None, details: str = "") -> None:
        super().__init__(message)
        self.answer = answer
        self.details = details

    def with_message(self, message: str) -> Self:
        """Return the same fault with another message."""
        return type(self)(message, self.answer, self.details)


class BotHelloError(BotFaultError):
    """The handshake of a program failed."""

    fault = "hello"
    public = "introduced itself badly"


class BotGarbageError(BotFaultError):
    """A program wrote an invalid message, or one without a request."""

    fault = "garbage"
    public = "wrote something that is not a message"


class BotIllegalError(BotFaultError):
    """An answer is not a legal action; the message lists the legal ones as the seat knows them."""

    fault = "illegal"
    public = "answered with an illegal action"


class BotTimeoutError(BotFaultError):
    """No answer arrived within the time limit."""

    fault = "timeout"
    public = "did not answer in time"


class BotCrashError(BotFaultError):
    """A program exited; the message has its exit code."""

    fault = "crash"
    public = "ended while it was asked"


class BotPipeError(BotFaultError):
    """A program closed its output, but still runs."""

    fault = "pipe"
    public = "closed its output"


class BotMemoryError(BotFaultError):
    """A process of the bot was killed, because the bot reached its limit of memory."""

    fault = "memory"
    public = "used more memory than it may"


class BotProcessesError(BotFaultError):
    """A program ended after it had reached its limit of processes."""

    fault = "processes"
    public = "started more processes than it may"


class BotRefusalError(BotFaultError):
    """A program or model refused to answer; the message has its reason."""

    fault = "refusal"
    public = "said that it cannot answer"


class BotUnclearError(BotFaultError):
    """An answer of a language model does not name an action of the game."""

    fault = "unclear"
    public = "answered without naming an action"


class BotUnfinishedError(BotFaultError):
    """An answer of a language model was cut off before its end."""

    fault = "unfinished"
    public = "did not finish an answer"


class BotProviderError(BotFaultError):
    """The server of a language model gave no answer, which is not the model's fault.

    A match does not count it: it ends like an interrupted match, and can go on later. The message
    has no word of the server, which could repeat the cards; these are in the details.
    """

    fault = "provider"

    @property
    def public(self) -> str:  # type: ignore[override]  # the cause helps everybody at the table
        """What other players see."""
        return f"gets {self}"


class BotExceptionError(BotFaultError):
    """A bot raised an exception."""

    fault = "exception"
    public = "raised an exception"
