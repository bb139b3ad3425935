"""Counting lines of code."""

import ast
import io
import tokenize

SILENT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def code_lines(source: str) -> int:
    """Return the number of lines that hold code: no blanks, comments or docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spans = [range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in SILENT]
    docstrings = [
        range(node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return len({n for span in spans for n in span} - {n for span in docstrings for n in span})
