"""The pages of the help: the current decision, rules, cards, keys and words, as Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence

from cardhub.play.table_model import TableReader
from cardhub.tui.keys import CURSOR_KEYS, TABLE_KEYS, Key, key_lines
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.view import CardCatalogue, CardFace, ChoiceView, View

# The most choices whose consequences are listed.
MOST_CHOICES = 12
# The title of a section is a heading, or the bold beginning of a paragraph.
TITLE = re.compile(r"##+ .*|\*\*[^*]+\*\*")
NUMBERED = re.compile(r"\d+\. ")
MARKS = (
    ("▸", "the player to act"),
    ("•", "moved or revealed since you acted"),
    ("heavy frame", "the cursor, and the cards that its action takes together"),
    ("faint frame", "cannot be played now; w shows why"),
    ("▒", "the back of a card: its letter or colour is known, its face is not"),
    ("outline", "a card is expected here"),
    ("✓ ✗", "a race that is won, or lost"),
)
WORDS = (
    ("seat", "a player's place at the table"),
    ("hand", "the cards that only their owner sees"),
    ("round", "a part of the game that ends with points or a new deal"),
    ("forced choice", "a turn with one legal action; F plays such turns by itself"),
    ("seed", "the number from which the cards were shuffled; it deals the same game again"),
    ("commitment", "a fingerprint of a secret seed: at the end it shows that the seed was fixed"),
    ("hint", "a bot's rating of the actions, from what you may know; the record notes it"),
    ("record", "the file that holds the game; it is complete at any time"),
)


def now_page(reader: TableReader, view: View, why_no_undo: str) -> list[str]:
    """Return the decision, the consequences of its choices, the state of undo, and the seed."""
    lines = ["# What is asked", "", view.prompt or "The game is over.", ""]
    if view.status:
        lines += [view.status, ""]
    if view.choices:
        lines += ["# What you can do", "", *_consequences(reader, view.choices), ""]
    undo = f"Not possible: {why_no_undo}." if why_no_undo else "u takes your last action back."
    lines += ["# Undo", "", undo, "", "# Seed", "", reader.seed(), "", "# Players", ""]
    return lines + [f"- {_player(view, seat)}" for seat in range(len(view.players))]


def rules_page(reader: TableReader) -> list[str]:
    """Return the rules of the game with the options in use."""
    return reader.rules().splitlines()


def cards_page(catalogue: CardCatalogue, wanted: str = "") -> list[str]:
    """Return a line for each face whose name or text contains all wanted words."""
    words = wanted.casefold().split()
    lines = [_card(face) for face in catalogue.faces]
    matches = [line for line in lines if all(word in line.casefold() for word in words)]
    return matches or [f"No card has {wanted!r}."]


def keys_page(keys: Iterable[Key] = (*TABLE_KEYS, *CURSOR_KEYS)) -> list[str]:
    """Return the keys, and the use of numbers and the mouse."""
    return [
        "```",
        *key_lines(keys),
        "1 to 9   press the button with this number",
        "click    point at a card; a second click plays it",
        "wheel    scroll the log; a click on a line shows the table after that step",
        "ctrl+p   list all commands",
        "```",
    ]


def words_page(glyphs: Glyphs) -> list[str]:
    """Return the marks of the table and its vocabulary."""
    marks = [f"- {glyphs.text(mark)}: {text}" for mark, text in MARKS]
    return ["# Marks", "", *marks, "", "# Words", "", *(f"- {w}: {text}" for w, text in WORDS)]


def phase_line(lines: Sequence[str], phase: str) -> int:
    """Return the line at which the rules of a phase begin, 0 if it is not found.

    Headings and bold beginnings of paragraphs come before numbered rules. A phase matches by the
    stem of its first word: `laying` matches "1. Laying." and "lays a card".
    """
    words = phase.split()
    if not words:
        return 0
    named = re.compile(
        rf"(?<!in )\b{re.escape(_stem(words[0]))}(\w?ing|e?s|ed|e)?\b", re.IGNORECASE
    )
    titles = [(n, match[0]) for n, line in enumerate(lines) if (match := TITLE.match(line))]
    matches = [n for n, title in titles if named.search(title)]
    return matches[0] if matches else next(_numbered(lines, named), 0)


def _stem(word: str) -> str:
    bare = word.removesuffix("ing") if len(word) > 5 else word
    # `bidding`, but not `passing`
    return bare[:-1] if bare != word and bare[-2:] in ("dd", "gg", "nn", "pp", "tt") else bare


def _numbered(lines: Sequence[str], named: re.Pattern[str]) -> Iterator[int]:
    """Yield the first line of each numbered rule that has the word."""
    begin = 0
    for number, line in enumerate(lines):
        begin = number if NUMBERED.match(line) else begin if line.strip() else 0
        if begin and named.search(line):
            yield begin


def _consequences(reader: TableReader, choices: Sequence[ChoiceView]) -> list[str]:
    lines: list[str] = []
    for choice in choices[:MOST_CHOICES]:
        answers: list[str] = []
        reader.consequence(choice.action, answers.append)
        text = answers[0] if answers else ""
        lines.append(f"- {choice.name}: {text}" if text else f"- {choice.name}")
    if len(choices) > MOST_CHOICES:
        lines.append(f"- and {len(choices) - MOST_CHOICES} more")
    return lines


def _player(view: View, seat: int) -> str:
    player = view.players[seat]
    kind = f"bot {player.bot}" if player.bot else "a person"
    return ", ".join(filter(None, [player.name, kind, player.score, *player.badges]))


def _card(face: CardFace) -> str:
    title = "" if face.title in ("", face.label) else f" {face.title}"
    detail = f", {face.detail}" if face.detail else ""
    text = f": {face.text}" if face.text else ""
    return f"{face.label}{title}{detail}{text}"
