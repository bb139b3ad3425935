"""`python -m cardhub` is the command `cardhub`."""

import signal


def main() -> None:
    """Import the command line and run it; Ctrl-C while it is imported ends the program quietly."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # otherwise a traceback through the imports
    from cardhub.cli.main import main as run

    signal.signal(signal.SIGINT, before)
    run()


if __name__ == "__main__":
    main()
