"""`python -m cardhub` is the command `cardhub`."""

from cardhub.cli.main import main

if __name__ == "__main__":
    main()
