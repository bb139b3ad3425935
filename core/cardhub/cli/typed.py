"""What people type at a plain table: actions and commands."""

from collections.abc import Sequence

from cardhub.errors import IllegalActionError
from cardhub.hidden.labels import Labels

COMMANDS = {
    "undo": "take your last action back, if nobody has learned anything by it",
    "hint": "ask a bot what it would do; the record says that you did",
    "table": "show the table again",
    "log": "tell all that has happened",
    "rules": "show the rules of the game",
    "help": "show this help",
    "quit": "leave; the game is saved",
}
SHORT = {"u": "undo", "?": "help", "q": "quit", "exit": "quit"}


def read_choice(text: str, labels: Labels, legal: Sequence[int]) -> int | str:
    """Return the action or command meant: a number from the list, a command, or typed words.

    Raises IllegalActionError saying what is possible.
    """
    word = text.strip().casefold()
    names = labels.notations(legal)
    if word.isdecimal() and 1 <= int(word) <= len(legal):
        return list(names.values())[int(word) - 1]
    if word in COMMANDS and word not in map(str.casefold, names):
        return word
    try:
        return labels.parse(text, legal)
    except IllegalActionError:
        if word in SHORT:
            return SHORT[word]
        raise


def explain_typing() -> list[str]:
    """Return the lines of the help."""
    width = max(map(len, COMMANDS))
    return [
        "Type the number of an action, or its words; enough of them to be plain will do.",
        *(f"  {name:{width}}  {text}" for name, text in COMMANDS.items()),
    ]
