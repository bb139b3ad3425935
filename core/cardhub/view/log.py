"""Summaries as plain data, and joining lines of the log on like steps of one actor."""

from collections.abc import Iterable, Sequence

from cardhub.game.scene import Summary
from cardhub.view.view import LogLine, SummaryView

# Longer ends of sentences are not joined: a list of clauses is hard to read.
MOST_WORDS = 5
# Marks inside an end of a sentence that would be unclear beside the commas of a list.
BREAKS = frozenset(",;:.!?")
ARTICLES = frozenset(("a", "an"))


def summary_view(summary: Summary) -> SummaryView:
    """Return a summary as plain data."""
    return SummaryView(title=summary.title, rows=tuple(map(tuple, summary.rows)))


def joined(lines: Iterable[LogLine], names: Sequence[tuple[str, ...]]) -> list[LogLine]:
    """Return the lines with consecutive like steps of one actor as one line.

    `David lays a yellow card` twice and `David lays a blue card` become `David lays yellow, yellow,
    blue`. Steps are alike if their texts begin with the actor's name and the same verb; `names` are
    all names that players have had, by seat. A joined line has the last step, and is new if one of
    them is.
    """
    groups: list[list[LogLine]] = []
    for line in lines:
        if groups and _is_like(groups[-1], line, names):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_joined(group, names) for group in groups]


def _is_like(group: Sequence[LogLine], line: LogLine, names: Sequence[tuple[str, ...]]) -> bool:
    last = group[-1]
    begin = _beginning(line, names)
    # A summary ends a round: the steps after it belong to the next one.
    return bool(begin) and not last.summary and _beginning(last, names) == begin


def _beginning(line: LogLine, names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the actor and the verb of a line whose end can be joined; empty for any other."""
    if line.kind != "action" or not 0 <= line.seat < len(names):
        return ()
    words = line.text.split(" ")
    count = _count_name(words, names[line.seat])
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


def _joined(group: Sequence[LogLine], names: Sequence[tuple[str, ...]]) -> LogLine:
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
