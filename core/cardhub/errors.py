"""Everything that can go wrong, as one tree.

```
CardhubError
├── CardFileError          a card file is wrong; names every place at once
├── OptionError            an option of a game has an impossible value
├── IllegalActionError     an action that the rules do not allow now
├── HiddenFaceError        rules code read a face that this seat may not know
├── DeterminizationError   no assignment of the unseen faces was found
├── RecordError            a record cannot be read or does not replay
├── SeatingError           players and seats do not fit
├── PluginError            a plugin, game or bot cannot be found or loaded
├── MissingLibraryError    a library that cardhub can do without is needed here
├── SandboxError           programs cannot be run in a sandbox here
├── AuthoringError         a new game cannot be written
├── MatchError             a match cannot be begun, gone on with or verified
│   └── MatchFileError     a match file is wrong; names every place at once
└── BotError               a bot cannot be made, or did not do as it should
    └── BotFaultError      what a bot did wrong when it was asked, in one word: `fault`
        ├── BotHelloError       hello      a program introduced itself badly
        ├── BotGarbageError     garbage    a program wrote what is no message
        ├── BotIllegalError     illegal    the answer is not a legal action
        ├── BotTimeoutError     timeout    no answer within the time
        ├── BotCrashError       crash      a program ended
        ├── BotPipeError        pipe       a program closed its output, but goes on
        ├── BotRefusalError     refusal    a program said that it cannot answer
        └── BotExceptionError   exception  a bot of this process raised
```

Programming faults stay plain `AssertionError`, `TypeError` or `ValueError`. Only `cardhub.cli`
turns these errors into messages and exit codes.
"""

from typing import ClassVar, Self


class CardhubError(Exception):
    """What every error of cardhub derives from."""


class Interruption(BaseException):
    """Raised into third-party code from outside, as a deadline is; never that code's fault."""


class CardFileError(CardhubError):
    """A card file does not say what it should.

    `problems` holds one `file:line:column: message` line per mistake, in the order of the file.
    """

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class OptionError(CardhubError):
    """An option does not exist or cannot have this value; the message says which values fit."""


class IllegalActionError(CardhubError):
    """An action that is not among the legal ones.

    Where the referee raises it, the message may be told to anybody: it names no card. `action` is
    what was tried; `Observation.refusal` words it for a viewer. `full` is for people who may see
    every card, and is the message itself where nothing is hidden.
    """

    def __init__(self, message: str, action: object = None, full: str = "") -> None:
        super().__init__(message)
        self.action = action
        self.full = full or message


class HiddenFaceError(CardhubError):
    """A face was read that the seat looking at it has not seen: that of `token`."""

    def __init__(self, message: str, token: int = -1) -> None:
        super().__init__(message)
        self.token = token


class DeterminizationError(CardhubError):
    """The unseen faces could not be assigned so that everything public still holds."""


class RecordError(CardhubError):
    """A record is damaged, edited or of another version; the message names file and line."""


class SeatingError(CardhubError):
    """There are too many or too few players, or two of one name."""


class PluginError(CardhubError):
    """A plugin is missing, broken or clashes with another; the message names it."""


class MissingLibraryError(CardhubError, ImportError):
    """A library that comes with an extra of cardhub is not installed; the message names it."""


class SandboxError(CardhubError):
    """Programs cannot be run in a sandbox here; the message says why, and what to do."""


class AuthoringError(CardhubError):
    """The files of a new game cannot be written; the message says what would be right."""


class MatchError(CardhubError):
    """A match cannot be played, or its log is not that of this match; the message says why."""


class MatchFileError(MatchError):
    """A match file does not say what it should.

    `problems` holds one `file:line:column: message` line per mistake, in the order of the file.
    """

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class BotError(CardhubError):
    """A bot cannot be made, or failed to choose a legal action; the message names the bot."""


class BotFaultError(BotError):
    """What a bot did wrong when it was asked to do something; `fault` names the kind.

    Message, `answer` (what it said, if anything) and `details` (a traceback, or what a program
    wrote last on stderr) can quote the cards of its seat: they are for its author. Other people at
    the table are told `public`, which follows a name.
    """

    fault: ClassVar[str] = "fault"
    public: ClassVar[str] = "failed"

    def __init__(self, message: str, answer: object = None, details: str = "") -> None:
        super().__init__(message)
        self.answer = answer
        self.details = details

    def told(self, message: str) -> Self:
        """Return the same fault in other words."""
        return type(self)(message, self.answer, self.details)


class BotHelloError(BotFaultError):
    """A program's answer to the greeting is not what it should be."""

    fault = "hello"
    public = "introduced itself badly"


class BotGarbageError(BotFaultError):
    """A program wrote something that is no message, or wrote without being asked."""

    fault = "garbage"
    public = "wrote something that is not a message"


class BotIllegalError(BotFaultError):
    """An answer is not among the legal actions; the message names those, as its seat knows them."""

    fault = "illegal"
    public = "answered with an illegal action"


class BotTimeoutError(BotFaultError):
    """An answer did not come within the time for it."""

    fault = "timeout"
    public = "did not answer in time"


class BotCrashError(BotFaultError):
    """A program ended; the message has its exit code."""

    fault = "crash"
    public = "ended while it was asked"


class BotPipeError(BotFaultError):
    """A program has closed its output, but goes on."""

    fault = "pipe"
    public = "closed its output"


class BotRefusalError(BotFaultError):
    """A program said that it cannot answer, and why."""

    fault = "refusal"
    public = "said that it cannot answer"


class BotExceptionError(BotFaultError):
    """A bot raised an exception."""

    fault = "exception"
    public = "raised an exception"
