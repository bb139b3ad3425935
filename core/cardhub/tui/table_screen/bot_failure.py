"""Bots that fail or do not answer: people are told, and decide."""

from collections.abc import Callable

from cardhub.errors import BotFaultError, BotTimeoutError
from cardhub.tui.dialogs.table_dialogs import Dialogs
from cardhub.tui.table_screen.bot_turns import BotTurns

BOT_FAILED = 3
"""The exit code after a bot failed."""
PATIENCE = 60.0
"""After how many seconds without an answer people are asked whether they want to wait."""


class BotFailure:
    """What is wrong with the bot to act, if anything is.

    `retry` and `leave` are called when people decide so, `changed` whenever `fault` is another.
    """

    def __init__(
        self,
        bots: BotTurns,
        dialogs: Dialogs,
        *,
        retry: Callable[[], None],
        leave: Callable[[], None],
        changed: Callable[[], None],
    ) -> None:
        self.fault: BotFaultError | None = None
        self.exit_code = 0
        self._bots = bots
        self._dialogs = dialogs
        self._retry, self._leave, self._changed = retry, leave, changed
        self._patience = PATIENCE

    def forget(self) -> None:
        """Another turn begins: whatever was wrong is past."""
        self.fault = None
        self._patience = PATIENCE
        self._dialogs.close_waiting()

    def tell(self, fault: BotFaultError) -> None:
        """Tell that the bot to act failed, and have people decide."""
        self.fault, self.exit_code = fault, BOT_FAILED
        self._changed()
        self._dialogs.close_waiting()
        self._dialogs.tell_failure(fault, self.decide)

    def watch(self) -> None:
        """Ask whether to wait if the bot to act thinks for long."""
        seconds = self._bots.thinking
        if seconds is not None and seconds >= self._patience:
            self._patience += seconds
            self._dialogs.ask_to_wait(seconds, self.decide)

    def break_off(self) -> None:
        """Stop the bot that thinks, and tell so as of one that failed."""
        if self._bots.thinking is not None:
            self._bots.break_off()
            self.tell(BotTimeoutError("it was stopped, as it did not come to an end"))

    def decide(self, button: str | None) -> None:
        """Do what the button says that was pressed; None and any other do nothing."""
        deeds = {"retry": self._retry, "leave": self._leave, "stop": self.break_off}
        if button in deeds:
            deeds[button]()

    def result(self) -> BotFaultError | None:
        """Return why the game is left where it cannot go on, if so."""
        return self.fault
