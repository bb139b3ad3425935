"""What a check says when a game breaks a promise, and errors in a stranger's code in one line."""

import traceback
from pathlib import Path

import cardhub
from cardhub.errors import CardhubError
from cardhub.play.advice import explain

OWN = str(Path(cardhub.__file__).parent)


class ConformanceError(AssertionError):
    """A game breaks a promise; `check` is the name of the check that found out, `what` how."""

    def __init__(self, check: str, where: str, what: str) -> None:
        self.check = check
        self.what = what
        super().__init__(f"{where}: {what} ({check})")


def explained(error: BaseException) -> str:
    """Return an error in one line, with the line of a stranger's code that it comes from."""
    said = explain(error)
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(OWN)]
    if isinstance(error, CardhubError) and not theirs:
        return str(error)
    return f"{said} ({Path(theirs[-1].filename).name}:{theirs[-1].lineno})" if theirs else said
