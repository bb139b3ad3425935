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
└── BotError               a bot answered with something that is not an action
```

Programming faults stay plain `AssertionError`, `TypeError` or `ValueError`. Only `cardhub.cli`
turns these errors into messages and exit codes.
"""


class CardhubError(Exception):
    """What every error of cardhub derives from."""


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
    """An action that is not among the legal ones; the message names those."""


class HiddenFaceError(CardhubError):
    """A face was read that the seat looking at it has not seen."""


class DeterminizationError(CardhubError):
    """The unseen faces could not be assigned so that everything public still holds."""


class RecordError(CardhubError):
    """A record is damaged, edited or of another version; the message names file and line."""


class SeatingError(CardhubError):
    """There are too many or too few players, or two of one name."""


class PluginError(CardhubError):
    """A plugin is missing, broken or clashes with another; the message names it."""


class BotError(CardhubError):
    """A bot failed to choose a legal action; the message names the bot."""
