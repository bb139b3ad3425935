"""Numbers and lists as text, in one form for messages, tables and reports."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

# The text of a value that is unknown or does not exist.
NONE = "–"
MINUS = "−"
# Verbs of actions in card games, of which sentences are made; other first words may be nouns.
_VERB_WORDS = """
accept add ask attack bank believe bet bid bluff burn buy call challenge check choose claim close
collect cut deal decline defend discard double draw end exchange fight flip fold force give guess
hold keep knock lay lead leave lift meld move offer open pass pick place play put raise refuse
reveal roll sell send show spin stand stop swap take throw trade turn use
"""
VERBS = frozenset(_VERB_WORDS.split())
ARTICLES = frozenset(("a", "an"))
# The last word of a phrase such as `a card from Bob` is not its noun.
_PREPOSITIONS = frozenset(("at", "by", "for", "from", "in", "of", "on", "over", "to", "with"))
# Three equal things are counted, and two only in a list that is longer than this.
MOST_REPEATED = 3
# The maximum length of a value or of a program's text in a message.
LONG = 200


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return strings as a list in a sentence: `a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted_phrase(phrase: str, count: int) -> str:
    """Return a number of things: `3 red cards` for `a red card`."""
    if count == 1:
        return phrase
    return f"{count} {phrase.partition(' ')[2]}s" if _has_plural(phrase) else f"{count}×{phrase}"


def listed_phrases(phrases: Iterable[str]) -> str:
    """Return things as a list in a sentence, like ones counted: `R14, a red and a blue card`.

    Things without an article, such as `W0`, are counted from three on: `Penny ×3`.
    """
    parts: list[str] = []
    singles: list[list[str]] = []
    counts = Counter(phrases)
    for phrase, count in counts.items():
        words, has_plural = phrase.split(" "), _has_plural(phrase)
        if has_plural:
            parts.append(counted_phrase(phrase, count))
        else:
            is_counted = count > 2 or (count > 1 and counts.total() > MOST_REPEATED)
            parts += [f"{phrase} ×{count}"] if is_counted else [phrase] * count
        if has_plural and count == 1 and len(words) > 2:
            singles.append(words)
    # `a red and a blue card` is easier to read than `a red card and a blue card`.
    if len(singles) == len(parts) > 1 and len({words[-1] for words in singles}) == 1:
        parts[:-1] = [" ".join(words[:-1]) for words in singles[:-1]]
    return listed(parts) if parts else ""


def _has_plural(phrase: str) -> bool:
    """Return whether a phrase begins with an article and ends with its noun."""
    article, *words = phrase.split(" ")
    is_noun = bool(words) and words[-1].isascii() and words[-1].isalpha()
    return article in ARTICLES and is_noun and _PREPOSITIONS.isdisjoint(words)


def first_few(words: Sequence[str], most: int = 6) -> str:
    """Return at most `most` strings as a list, and how many more there are: `a, b and 9 more`."""
    rest = len(words) - most
    # "1 more" would be as long as the last string.
    return ", ".join(words) if rest < 2 else f"{', '.join(words[:most])} and {rest} more"


def amount(number: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 game`, `1,200 games`.

    `plural`: the plural of the noun, by default the noun with an `s`.
    """
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def capitalized(text: str) -> str:
    """Return text with a capital first letter, unless its first word is a label such as `a4`."""
    first = text.partition(" ")[0].rstrip(",.:;!?")
    return text[:1].upper() + text[1:] if first.isalpha() else text


def third_person(verb: str) -> str:
    """Return an English verb for one person who acts: `checks`, `passes`, `carries`."""
    irregular = {"have": "has", "be": "is"}
    if verb in irregular:
        return irregular[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def has_verb(label: str) -> bool:
    """Return whether an action's label begins with a verb, unlike `3 coins`, `done` or `Pass`."""
    return label.partition(" ")[0] in VERBS


def action_sentence(player: str, label: str) -> str:
    """Return an action as a sentence, such as `Anna plays R5` for the label `play R5`."""
    if not has_verb(label):
        return f"{player}: {label}"
    verb, space, rest = label.partition(" ")
    return f"{player} {third_person(verb)}{space}{rest}"


def clipped(text: str, width: int = LONG) -> str:
    """Return text of at most `width` characters; clipped text ends with `…`."""
    return text if len(text) <= width else text[: width - 1] + "…"


def count(value: int) -> str:
    """Return an integer with thousands separators and a true minus sign."""
    return f"{value:,}".replace("-", MINUS)


def with_minus(text: str) -> str:
    """Return text with a true minus sign if it is a negative number with a hyphen."""
    return MINUS + text[1:] if text.startswith("-") and text[1:2].isdecimal() else text


def number(value: float | None, digits: int = 3) -> str:
    """Return a number with `digits` decimals and a true minus sign; a dash for None."""
    if value is None:
        return NONE
    text = f"{value:.{digits}f}"
    if float(text) == 0:  # no minus sign before a rounded zero
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 0) -> str:
    """Return a difference with its sign; a value that rounds to 0 has no sign."""
    text = number(value, digits)
    has_sign = value is None or text.startswith(MINUS) or float(text) == 0
    return text if has_sign else f"+{text}"


def percent(value: float | None, digits: int = 0) -> str:
    """Return a share, from 0 to 1, as a percentage; a dash for None."""
    return NONE if value is None else f"{number(100 * value, digits)} %"


def dollars(value: float) -> str:
    """Return an amount of money, with two digits below ten cents: `$2.40`, `$0.0031`."""
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


def p_value(value: float | None) -> str:
    """Return a probability; below 0.0001 as an upper bound, and a dash for None."""
    if value is None:
        return NONE
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


def interval(low: float | None, high: float | None, text: Callable[[float], str]) -> str:
    """Return an interval with each end written by `text`: `0.25 to 0.75`.

    An interval with an unknown end is a dash.
    """
    return NONE if low is None or high is None else f"{text(low)} to {text(high)}"
