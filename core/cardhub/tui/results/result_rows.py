"""The rows of a result (causes, hands, turning points) and of an analysis, as runs of text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from cardhub.base.writing import amount
from cardhub.model.table.goal import Goal
from cardhub.play.table_messages import ReviewedMove, ReviewMessage
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.layout.canvas import Run, Style, TableGlyphs, cut_lines
from cardhub.view.text.glyphs import cells, clip, counted_names, duration, pad, wrapped
from cardhub.view.text.result_sheet import summary_lines
from cardhub.view.view import BreakdownCell, CardCatalogue, CauseView, ResultView, TurningPoint

TEXT, MUTED, LINE = Style(), Style("muted"), Style("line")
BOLD, ACCENT = Style(is_bold=True), Style("accent", is_bold=True)
# The least cells of a column of points, and the most, without and with cards.
NARROWEST, WIDEST, WIDEST_WITH_CARDS = 9, 24, 36
# Cells of a column from which it shows a note after the points.
NOTES_FROM = 12
# The most cells of a row's label, and the digits of points.
LABEL, DIGITS = 16, 5
# Rows of a terminal from which the cards that counted are below the points.
CARDS_FROM = 34
# The most rows of cards of a cause.
CARD_ROWS = 2
Row = Sequence[Run]


# The rows of a result or a review, and by row the step that it leads to.
ResultRows: TypeAlias = tuple[Sequence[Row], dict[int, int]]


def result_rows_of(
    result: ResultView,
    catalogue: CardCatalogue,
    width: int,
    glyphs: TableGlyphs,
    *,
    has_cards: bool,
) -> ResultRows:
    """Return all rows of a result, each of at most `width` cells."""
    rows: list[Row] = [[], *_Table(result, catalogue, width, glyphs, has_cards).rows()]
    if result.hands:
        rows += [[], _rule("hands at the end", width, glyphs)]
        rows += _hands(result, catalogue, width, glyphs)
    steps: dict[int, int] = {}
    if result.turning_points:
        rows += [[], _rule("turning points", width, glyphs)]
        for point in result.turning_points:
            steps[len(rows)] = point.step
            rows += _turning_point(point, width, glyphs)
    for summary in result.summaries if not result.sections else ():
        rows += [[], _rule(summary.title, width, glyphs)]
        lines = summary_lines(summary, width - 1, glyphs.texts, titled=False)
        rows += ([Run(line, TEXT)] for line in lines)
    return rows, steps


def head_texts(result: ResultView) -> tuple[str, str]:
    """Return the sentence and the facts of the first row."""
    facts = [result.parts, duration(result.seconds)]
    return result.sentence, " · ".join(filter(None, facts))


class _Table:
    """The table of points: a column for each team, a row for each cause."""

    def __init__(
        self,
        result: ResultView,
        catalogue: CardCatalogue,
        width: int,
        glyphs: TableGlyphs,
        has_cards: bool,
    ) -> None:
        self._result = result
        self._catalogue = catalogue
        self._glyphs = glyphs
        sections = result.sections
        labels = [row.label for part in sections for row in (*part.rows, *part.subtotals)]
        self._total = f"total {result.unit}".rstrip()
        self._label = min(max(map(cells, [*labels, self._total])) + 3, LABEL + 3)
        count = max(len(result.columns), 1)
        self._has_cards = has_cards and any(
            cell.faces for section in sections for row in section.rows for cell in row.cells
        )
        widest = WIDEST_WITH_CARDS if self._has_cards else WIDEST
        # Wide terminals cut no note.
        cells_of_rows = [cell for part in sections for row in part.rows for cell in row.cells]
        notes = max((cells(_note(cell)) for cell in cells_of_rows), default=0)
        self._column = (width - self._label) // count
        self._column = min(max(self._column, NARROWEST), max(widest, DIGITS + notes + 2))
        # If not all columns fit, show the columns of the best places.
        self._shown = max((width - self._label) // self._column, 1)
        self._width = min(self._label + self._column * min(count, self._shown), width)

    def rows(self) -> Iterator[Row]:
        result = self._result
        if result.goal is Goal.COMMON and not result.sections:
            yield [Run(f"  {self._text(result.sentence)}", BOLD)]
            return
        yield from self._headings()
        for section in result.sections:
            yield [Run(" " + self._glyphs.light.line * (self._width - 1), LINE)]
            if section.title and len(result.sections) > 1:
                yield [Run(f"  {self._text(section.title)}", MUTED)]
            for cause in section.rows:
                yield self._cause(cause)
                if self._has_cards and any(cell.faces for cell in cause.cells):
                    yield from self._cards(cause)
        if result.sections:
            yield [Run(" " + self._glyphs.light.line * (self._width - 1), LINE)]
            for section in result.sections:
                yield from map(self._cause, section.subtotals)
        total = [Run(f"{c.score:>{DIGITS}}", BOLD) for c in result.columns[: self._shown]]
        yield [self._labelled(self._total), *self._padded([[score] for score in total])]

    def _headings(self) -> Iterator[Row]:
        """Yield the names with their places; below them the bots, if a name has no room for its."""
        columns = self._result.columns[: self._shown]
        places = [f"{column.place}. " if column.place else "" for column in columns]
        names = [place + column.name for place, column in zip(places, columns, strict=True)]
        bots = [f"({column.bot})" if column.bot else "" for column in columns]
        joined = [f"{name} {bot}".rstrip() for name, bot in zip(names, bots, strict=True)]
        styles = [ACCENT if column.place == 1 else BOLD for column in columns]
        if all(cells(self._text(text)) <= self._room for text in joined):
            yield self._heading(joined, styles)
            return
        yield self._heading(names, styles)
        if any(bots):
            yield self._heading(bots, [MUTED] * len(bots))

    @property
    def _indent(self) -> str:
        return " " * (1 + (self._column >= NOTES_FROM))

    @property
    def _room(self) -> int:
        """The cells of a text in a heading; a space separates it from the next one."""
        return self._column - len(self._indent) - 1

    def _heading(self, texts: Sequence[str], styles: Sequence[Style]) -> Row:
        shown = [clip(self._text(text), self._room, self._glyphs.more) for text in texts]
        pairs = zip(shown, styles, strict=True)
        runs = [[Run(self._indent + text, style)] for text, style in pairs]
        return [Run(" " * self._label, TEXT), *self._padded(runs)]

    def _labelled(self, label: str, colour: str = "") -> Run:
        text = clip(f"  {self._text(label)}", self._label, self._glyphs.more)
        return Run(
            text + " " * (self._label - cells(text)), Style("card" if colour else "text", colour)
        )

    def _cause(self, cause: CauseView) -> Row:
        shown = [self._cell(cell) for cell in cause.cells[: self._shown]]
        return [self._labelled(cause.label, cause.colour), *self._padded(shown)]

    def _cell(self, cell: BreakdownCell) -> Row:
        points = Run(f"{cell.points:>{DIGITS}} ", TEXT if cell.points != "0" else MUTED)
        if self._column < NOTES_FROM:
            return [points]
        note = clip(self._text(_note(cell)), self._column - DIGITS - 2, self._glyphs.more)
        return [points, Run(note, MUTED)]

    def _cards(self, cause: CauseView) -> Iterator[Row]:
        """Yield the rows of the cards that counted, below the points."""
        columns = [self._card_lines(cell) for cell in cause.cells[: self._shown]]
        indent = " " * (DIGITS + 1)
        for number in range(max(map(len, columns))):
            texts = [lines[number] if number < len(lines) else "" for lines in columns]
            runs = [[Run(indent + text, MUTED)] for text in texts]
            yield [Run(" " * self._label, TEXT), *self._padded(runs)]

    def _card_lines(self, cell: BreakdownCell) -> list[str]:
        faces = [self._catalogue.faces[face] for face in cell.faces]
        text = self._text(" ".join(face.corner or face.short for face in faces))
        dash = "—" if self._glyphs.texts.has_frames else "-"
        width = self._column - DIGITS - 2
        return cut_lines(wrapped(text or dash, width), CARD_ROWS, width, f" {self._glyphs.more}")

    def _padded(self, columns: Iterable[Row]) -> Iterator[Run]:
        for column in columns:
            yield from column
            yield Run(" " * max(self._column - sum(cells(run.text) for run in column), 0), TEXT)

    def _text(self, text: str) -> str:
        return self._glyphs.texts.text(text)


def _note(cell: BreakdownCell) -> str:
    """Return the note in parentheses, because it may begin with a number as the points do."""
    return f"({cell.note})" if cell.note else ""


def _rule(title: str, width: int, glyphs: TableGlyphs) -> Row:
    line = glyphs.light.line
    head = clip(f" {line * 2} {glyphs.texts.text(title)} ", width - 1, glyphs.more)
    return [Run(head + line * (width - 1 - cells(head)), LINE)]


def _hands(
    result: ResultView, catalogue: CardCatalogue, width: int, glyphs: TableGlyphs
) -> Iterator[Row]:
    zones = {hand.zone for hand in result.hands}
    hands = [(h.name if len(zones) == 1 else f"{h.name}, {h.zone}", h.faces) for h in result.hands]
    shown = [(glyphs.texts.text(name), faces) for name, faces in hands]
    widest = max(cells(name) for name, _ in shown)
    # Commas separate names of several words.
    gap = ", " if any(" " in face.short for face in catalogue.faces) else " "
    for name, faces in shown:
        cards = counted_names(catalogue.faces[face].short for face in faces)
        text = f"{pad(name, widest)}  {glyphs.texts.text(gap.join(cards))}"
        for line in wrapped(text, max(width - 3, 1), hang="    "):
            yield [Run(f"  {line}", TEXT)]


def _turning_point(point: TurningPoint, width: int, glyphs: TableGlyphs) -> Iterator[Row]:
    gain = f"{point.gain:.1f}".removesuffix(".0")
    text = glyphs.texts.text(f"{point.text} ({point.name} +{gain})")
    head = f"  step {point.step:<4} "
    for number, line in enumerate(wrapped(text, max(width - cells(head) - 1, 10))):
        yield [Run(" " * len(head) if number else head, MUTED), Run(line, TEXT)]


def review_rows(
    review: ReviewMessage, width: int, glyphs: TableGlyphs, note: str = ""
) -> ResultRows:
    """Return the rows of a review: its progress, the agreement, the costliest moves and a note."""
    rows: list[list[Run]] = []
    steps: dict[int, int] = {}
    for text in _review_heads(review):
        rows.append([Run(clip(f" {glyphs.texts.text(text)}", width, glyphs.more), BOLD)])
    for place, move in enumerate(review.moves, 1):
        rows.append([])
        for number, text in enumerate(_move_lines(place, move, review.bot)):
            for line in wrapped(glyphs.texts.text(text), max(width - 3, 20), hang="   "):
                steps[len(rows)] = move.step
                rows.append([Run(f"  {line}", MUTED if number else TEXT)])
    if note and review.moves:
        lines = wrapped(glyphs.texts.text(note), max(width - 3, 20))
        rows += [[], *([Run(f"  {line}", MUTED)] for line in lines)]
    return rows, steps


def _review_heads(review: ReviewMessage) -> Iterator[str]:
    if review.bot:
        yield _progress(review)
    if review.agreed:
        yield f"You and the bot agreed on {review.agreed} of {amount(review.done, 'move')}."
    if review.why_none:
        yield as_sentence(review.why_none)
    elif review.done and review.done == review.total and not review.moves:
        yield "By its ratings, no decision cost you anything."


def _progress(review: ReviewMessage) -> str:
    moves = amount(review.total, "move")
    if review.done == review.total:
        return f"The {review.bot} bot has reviewed your {moves}."
    return f"The {review.bot} bot is reviewing your {moves}: {review.done} done so far."


def _move_lines(place: int, move: ReviewedMove, bot: str) -> Iterator[str]:
    # The step of the log, which follows the position before the move.
    yield f"{place}. Step {move.step + 1}: You chose “{move.taken}”."
    best = f"The {bot} bot would choose “{move.best}”."
    yield f"   {best} {move.comparison}".rstrip()
