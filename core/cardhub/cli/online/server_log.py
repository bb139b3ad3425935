"""The log of a server on stderr: faults with their tracebacks, and nothing of its clients."""

import logging

from typing_extensions import override

from cardhub.cli.console import echo


class PrintableHandler(logging.Handler):
    """Prints with escaped control characters, as messages may quote what clients sent."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            echo(self.format(record), err=True)
        except (OSError, ValueError):
            self.handleError(record)


def log_to_stderr() -> None:
    """Print the log of cardhub, and errors of uvicorn: its warnings are faults of clients."""
    handler = PrintableHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name, level in (("cardhub", logging.INFO), ("uvicorn", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
