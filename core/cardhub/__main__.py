"""`python -m cardhub` is the command `cardhub`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C exits with 130 even while it is imported."""
    try:
        from cardhub.cli.main import main as run  # here, so that the handler below covers it

        run()
    except KeyboardInterrupt:
        sys.exit(130)  # cardhub.cli.exit_codes.INTERRUPTED, which may not be imported yet


if __name__ == "__main__":
    main()
