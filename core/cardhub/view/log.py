"""Summaries as plain data, lines of the log joined on like steps, and the cards they mention."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from cardhub.model.game.scene import Summary
from cardhub.view.view import CardMention, LogLine, SummaryView

# Longer ends of sentences are not joined: a list of clauses is hard to read.
MOST_WORDS = 5
# Marks inside an end of a sentence that would be unclear beside the commas of a list.
BREAKS = frozenset(",;:.!?")
ARTICLES = frozenset(("a", "an"))


def summary_view(summary: Summary) -> SummaryView:
    """Return a summary as plain data."""
    return _summary_view(summary.title, tuple(map(tuple, summary.rows)))


# All viewers of a table are told of much the same rounds, and each of them again at every view.
@lru_cache(maxsize=256)
def _summary_view(title: str, rows: tuple[tuple[str, ...], ...]) -> SummaryView:
    return SummaryView(title=title, rows=rows)


def joined(lines: Iterable[LogLine], names: Sequence[tuple[str, ...]]) -> list[LogLine]:
    """Return the lines with consecutive like steps of one actor as one line.

    `David lays a yellow card` twice and `David lays a blue card` become `David lays yellow, yellow,
    blue`. Steps are alike if their texts begin with the actor's name and the same verb; `names` are
    all names that players have had, by seat. A joined line has the last step, and is new if one of
    them is.
    """
    return [joined_line(group, names) for group in like_lines(lines, names)]


def like_lines(lines: Iterable[LogLine], names: Sequence[tuple[str, ...]]) -> list[list[LogLine]]:
    """Return the lines in groups, each of which `joined_line` makes one line of."""
    groups: list[list[LogLine]] = []
    for line in lines:
        if groups and _is_like(groups[-1], line, names):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def joined_line(group: Sequence[LogLine], names: Sequence[tuple[str, ...]]) -> LogLine:
    """Return like lines as one; see `joined`."""
    if len(group) == 1:
        return group[0]
    last, begin = group[-1], _beginning(group[0], names)
    ends = [line.text.split(" ")[len(begin) :] for line in group]
    listed = _counted(ends) if _are_equal(ends) else ", ".join(map(" ".join, _bare(ends)))
    return LogLine(
        step=last.step,
        seat=last.seat,
        kind=last.kind,
        text=" ".join((*begin, listed)),
        summary=last.summary,
        is_new=any(line.is_new for line in group),
    )


def with_cards(
    lines: Sequence[LogLine], labels: Sequence[str], names: Sequence[tuple[str, ...]]
) -> list[LogLine]:
    """Return the lines with parts where they mention cards.

    `labels` are by face, `names` all names of the players by seat. A text has only labels that its
    viewer may know. Numbers, single characters and names of players are not taken for labels.
    """
    return card_mentions(labels, names).added(lines)


# Makes like lines one with its cards: as it is, and as a new one.
TellLine = Callable[[tuple[LogLine, ...]], tuple[LogLine, LogLine]]


def told_lines(labels: Sequence[str], names: Sequence[tuple[str, ...]]) -> TellLine:
    """Return what tells the lines of tables with these players; see `with_cards` and `joined`."""
    return _told_lines(tuple(labels), tuple(names))


# The players of a table stay the same, and all of them have one cache: viewers who know the same
# are told the same.
@lru_cache(maxsize=64)
def _told_lines(labels: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> TellLine:
    mentions = card_mentions(labels, names)

    @lru_cache(maxsize=32)
    def told(group: tuple[LogLine, ...]) -> tuple[LogLine, LogLine]:
        (line,) = mentions.added([joined_line(group, names)])
        return line, replace(line, is_new=True)

    return told


def card_mentions(labels: Sequence[str], names: Sequence[tuple[str, ...]]) -> "CardMentions":
    """Return what finds the cards in lines; see `with_cards`."""
    return _mentions_of(tuple(labels), tuple(name for each in names for name in each))


class CardMentions:
    """Adds to lines the parts that mention cards."""

    def __init__(self, labels: Sequence[str], names: Sequence[str]) -> None:
        clear = {text: face for face, text in enumerate(labels) if _is_clear(text)}
        self._faces = {text: face for text, face in clear.items() if text not in names}
        # The longest first: `Petty Officer` is not an `Officer`.
        words = sorted({*self._faces, *filter(None, names)}, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")
        # All viewers are told much the same, and the last lines again after every action.
        self._parted = lru_cache(maxsize=512)(self._parts_of)

    def added(self, lines: Iterable[LogLine]) -> list[LogLine]:
        """Return the lines with parts where they mention cards."""
        if not self._faces:
            return [*lines]
        parted = ((line, self._parted(line.text)) for line in lines)
        return [replace(line, parts=parts) if parts else line for line, parts in parted]

    def _parts_of(self, text: str) -> tuple[str | CardMention, ...]:
        parts = tuple(self._parts(text))
        return parts if _has_card(parts) else ()

    def _parts(self, text: str) -> Iterator[str | CardMention]:
        end = 0
        for found in self._pattern.finditer(text):
            face = self._faces.get(found[0])
            if face is None:
                continue
            if before := text[end : found.start()]:
                yield before
            yield CardMention(face, found[0])
            end = found.end()
        if rest := text[end:]:
            yield rest


# The players of a table stay the same: its pattern is made once.
_mentions_of = lru_cache(maxsize=64)(CardMentions)


def _has_card(parts: Sequence[str | CardMention]) -> bool:
    return any(isinstance(part, CardMention) for part in parts)


def _is_clear(label: str) -> bool:
    return len(label) > 1 and not label.isdecimal()


def _is_like(group: Sequence[LogLine], line: LogLine, names: Sequence[tuple[str, ...]]) -> bool:
    last = group[-1]
    begin = _beginning(line, names)
    # A summary ends a round: the steps after it belong to the next one.
    return bool(begin) and not last.summary and _beginning(last, names) == begin


def _beginning(line: LogLine, names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the actor and the verb of a line whose end can be joined; empty for any other."""
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
    can_join = 0 < len(end) <= MOST_WORDS and not BREAKS & set(" ".join(end))
    return tuple(words[: count + 1]) if can_join else ()


def _count_name(words: Sequence[str], names: Sequence[str]) -> int:
    """Return the number of words of the name at the beginning; 0 if it is none of the names."""
    for name in names:
        parts = name.split()
        if [word.removesuffix(":") for word in words[: len(parts)]] == parts:
            return len(parts)
    return 0


def _are_equal(ends: Sequence[Sequence[str]]) -> bool:
    return all(end == ends[0] for end in ends)


def _counted(ends: Sequence[Sequence[str]]) -> str:
    return f"{' '.join(ends[0])} ×{len(ends)}"


def _bare(ends: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return `yellow` and `blue` for the ends `a yellow card` and `a blue card`."""
    if not all(len(end) > 2 and end[0] in ARTICLES for end in ends):
        return [*ends]
    if len({end[-1] for end in ends}) > 1:
        return [*ends]
    return [end[1:-1] for end in ends]
