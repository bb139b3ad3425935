"""What a check says when a game breaks a promise."""


class ConformanceError(AssertionError):
    """A game breaks a promise; `check` is the name of the check that found out."""

    def __init__(self, check: str, where: str, what: str) -> None:
        self.check = check
        super().__init__(f"{where}: {what} ({check})")
