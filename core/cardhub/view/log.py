"""Log lines of consecutive similar steps joined, the cards that lines mention, and summaries."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from cardhub.base.writing import listed_phrases
from cardhub.view.view import CardMention, LogLine

# Longer ends of sentences are not joined: a list of clauses is hard to read.
MOST_WORDS = 5
# Punctuation inside an end of a sentence that would be unclear among the commas of a list.
BREAKS = frozenset(",;:.!?")
# Words of a verb of two words, such as `turns up`, which a list of its objects does not repeat.
PARTICLES = frozenset(("up", "down", "off", "out", "back", "over"))
# Ends that deny the verb: `lays no more` is no item of a list of the cards laid.
DENIALS = frozenset(("no", "not", "nothing", "none", "nobody", "neither", "never"))


def joined(lines: Iterable[LogLine], names: Sequence[tuple[str, ...]]) -> list[LogLine]:
    """Return the lines with consecutive similar steps of one actor joined.

    `David lays a yellow card` twice and `David lays a blue card` become `David lays 2 yellow cards
    and a blue card`. Steps are similar if their texts begin with the actor's name and the same
    verb; `names`: all names that players have had, by seat. A joined line has the last step, and is
    new if any of its lines is new.
    """
    return [joined_line(group, names) for group in like_lines(lines, names)]


def like_lines(lines: Iterable[LogLine], names: Sequence[tuple[str, ...]]) -> list[list[LogLine]]:
    """Return the lines in groups; `joined_line` turns each group into one line."""
    groups: list[list[LogLine]] = []
    for line in lines:
        if groups and _is_like(groups[-1], line, names):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def joined_line(group: Sequence[LogLine], names: Sequence[tuple[str, ...]]) -> LogLine:
    """Return a group of similar lines as one line; see `joined`."""
    if len(group) == 1:
        return group[0]
    last, begin = group[-1], _beginning(group[0], names)
    ends = [line.text.split(" ")[len(begin) :] for line in group]
    if ends[0][0] in PARTICLES and all(end[0] == ends[0][0] and len(end) > 1 for end in ends):
        begin = (*begin, ends[0][0])
        ends = [end[1:] for end in ends]
    phrases = [" ".join(end) for end in ends]
    end = listed_phrases(phrases)
    if len({*phrases}) == 1 and phrases[0] in end:
        end = f"{phrases[0]} ×{len(phrases)}"  # no plural is known
    return LogLine(
        step=last.step,
        seat=last.seat,
        kind=last.kind,
        text=" ".join((*begin, end)),
        summary=last.summary,
        is_new=any(line.is_new for line in group),
    )


def with_cards(
    lines: Sequence[LogLine], labels: Sequence[str], names: Sequence[tuple[str, ...]]
) -> list[LogLine]:
    """Return the lines, divided into parts if they mention cards.

    `labels`: the label of each face; `names`: all names of the players by seat. A text contains
    only labels that its viewer may know. Numbers, single characters and players' names do not count
    as labels.
    """
    return card_mentions(labels, names).added(lines)


# Joins a group of similar lines into one with its cards; returns it unchanged, and marked as new.
LineJoiner = Callable[[tuple[LogLine, ...]], tuple[LogLine, LogLine]]


def line_joiner(labels: Sequence[str], names: Sequence[tuple[str, ...]]) -> LineJoiner:
    """Return the joiner for tables with these players; see `with_cards` and `joined`."""
    return _line_joiner(tuple(labels), tuple(names))


# The players of a table stay the same, and its viewers share one cache: viewers with the same
# knowledge see the same lines.
@lru_cache(maxsize=64)
def _line_joiner(labels: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> LineJoiner:
    mentions = card_mentions(labels, names)

    @lru_cache(maxsize=32)
    def join(group: tuple[LogLine, ...]) -> tuple[LogLine, LogLine]:
        (line,) = mentions.added([joined_line(group, names)])
        return line, replace(line, is_new=True)

    return join


def card_mentions(labels: Sequence[str], names: Sequence[tuple[str, ...]]) -> "CardMentions":
    """Return the finder of cards in lines; see `with_cards`."""
    return _mentions_of(tuple(labels), tuple(name for seat in names for name in seat))


class CardMentions:
    """Finder of cards in log lines; it divides their texts into parts."""

    def __init__(self, labels: Sequence[str], names: Sequence[str]) -> None:
        self._faces = {
            text: face
            for face, text in enumerate(labels)
            if len(text) > 1 and not text.isdecimal() and text not in names
        }
        # The longest first: `Petty Officer` is not an `Officer`.
        words = sorted({*self._faces, *filter(None, names)}, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")
        # Cached, because viewers see mostly the same texts, and the last lines after every action.
        self._parted = lru_cache(maxsize=512)(self._parts_of)

    def added(self, lines: Iterable[LogLine]) -> list[LogLine]:
        """Return the lines, divided into parts if they mention cards."""
        if not self._faces:
            return [*lines]
        parted = ((line, self._parted(line.text)) for line in lines)
        return [replace(line, parts=parts) if parts else line for line, parts in parted]

    def _parts_of(self, text: str) -> tuple[str | CardMention, ...]:
        parts = tuple(self._parts(text))
        return parts if any(isinstance(part, CardMention) for part in parts) else ()

    def _parts(self, text: str) -> Iterator[str | CardMention]:
        end = 0
        for match in self._pattern.finditer(text):
            face = self._faces.get(match[0])
            if face is None:
                continue
            if before := text[end : match.start()]:
                yield before
            yield CardMention(face, match[0])
            end = match.end()
        if rest := text[end:]:
            yield rest


# Cached, because the players of a table stay the same.
_mentions_of = lru_cache(maxsize=64)(CardMentions)


def _is_like(group: Sequence[LogLine], line: LogLine, names: Sequence[tuple[str, ...]]) -> bool:
    last = group[-1]
    begin = _beginning(line, names)
    # A summary ends a round: the steps after it belong to the next one.
    return bool(begin) and not last.summary and _beginning(last, names) == begin


def _beginning(line: LogLine, names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return actor and verb of a line whose end can be joined; empty for other lines."""
    if line.kind != "action" or not 0 <= line.seat < len(names):
        return ()
    return _actor_and_verb(line.text, names[line.seat])


@lru_cache(maxsize=1024)
def _actor_and_verb(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    words = text.split(" ")
    count = _count_name(words, names)
    if not count or "" in words:
        return ()
    # `Anna (Navy) calls 5`: a role in parentheses belongs to the name.
    if count < len(words) and words[count].startswith("("):
        count += next((n for n, w in enumerate(words[count:], 1) if w.endswith(")")), 0)
    end = words[count + 1 :]
    is_short = 0 < len(end) <= MOST_WORDS and DENIALS.isdisjoint(end)
    can_join = is_short and not BREAKS & set(" ".join(end))
    return tuple(words[: count + 1]) if can_join else ()


def _count_name(words: Sequence[str], names: Sequence[str]) -> int:
    """Return the number of words of the name at the beginning; 0 if the text begins otherwise."""
    for name in names:
        parts = name.split()
        if [word.removesuffix(":") for word in words[: len(parts)]] == parts:
            return len(parts)
    return 0
