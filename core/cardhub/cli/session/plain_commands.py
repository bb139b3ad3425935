"""The commands of a game in plain text, and reading a typed line."""

from typing import NamedTuple

from cardhub.play.table_commands import LONGEST_SUBJECT
from cardhub.play.view_matching import read_choice
from cardhub.view.view import View, numbered_choices

COMMANDS = {
    "undo": "take your last action back, if nobody has learned anything by it",
    "hint": "ask a bot what it would do; the record says that you did",
    "why TEXT": "explain why an action or a card is not possible now: `why R14`",
    "if TEXT": "describe what a possible action would bring",
    "table": "show the table again",
    "log": "list all events so far",
    "card": "explain the cards you see, or one by its name: `card NAME`",
    "unseen": "list the cards that you have not seen yet",
    "pace SECONDS": "set the least time for each action of a bot",
    "rules": "show the rules of the game",
    "help": "show this help",
    "quit": "leave; the game is saved",
}
# Commands by their first word; these have text after it.
WORDS = {name.partition(" ")[0] for name in COMMANDS}
WITH_TEXT = ("why", "if", "card", "pace")
SHORT = {"u": "undo", "?": "help", "q": "quit", "exit": "quit", "says": "if"}


class Typed(NamedTuple):
    """A typed line: a command, its text, and the action that it means.

    `command` is one of the first words of COMMANDS, `act` for an action, or `refused` with the
    reason as text.
    """

    command: str
    text: str = ""
    action: int = -1


def read_line(text: str, view: View) -> Typed:
    """Parse a line: the number of a choice, a command, or the words of an action.

    Text without a meaning becomes the question why it is not legal, which the table answers.
    """
    word = text.strip().casefold()
    numbers = numbered_choices(view.choices)
    # Numbers first, then commands unless an action has that name, then words of actions.
    if word.isdecimal() and int(word) in numbers:
        return Typed("act", action=numbers[int(word)].action)
    is_action = word in (choice.name.casefold() for choice in view.choices)
    if word in WORDS and not is_action:
        return _command(word, "", view)
    read = read_choice(view, text)
    if isinstance(read, int):
        return Typed("act", action=read)
    # Only now: an abbreviation must not hide an action, such as `u` for `up`.
    first, _, rest = word.partition(" ")
    command = SHORT.get(first, first)
    if command in (WITH_TEXT if rest else WORDS):
        return _command(command, text.strip().partition(" ")[2].strip(), view)
    return Typed("why", text) if len(text) <= LONGEST_SUBJECT else Typed("refused", read)


def explain_input() -> list[str]:
    """Return the lines of the help as strings."""
    width = max(map(len, COMMANDS))
    return [
        "Type the number of an action, or its words; enough of them to be unambiguous.",
        *(f"  {name:{width}}  {text}" for name, text in COMMANDS.items()),
    ]


def _command(command: str, text: str, view: View) -> Typed:
    if command in ("why", "if") and not text:
        return Typed("refused", f"`{command}` is about an action: `{command} TEXT`")
    if command == "why" and text.isdecimal():
        choice = numbered_choices(view.choices).get(int(text))
        return Typed("why", choice.name if choice else text)
    if command != "if":
        return Typed(command, text)
    meant = read_line(text, view) if text not in WORDS else Typed("refused", text)
    if meant.command == "act":
        return Typed("if", text, meant.action)
    return meant if meant.command == "why" else Typed("refused", meant.text)
