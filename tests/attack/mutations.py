"""Changing valid files a little: bytes, lines, values of JSON and scalars of YAML."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

ESCAPES = ("\x1b[2J\x1b]0;owned\x07", "\u202eabc", "\x9b31m", "a\rb", "\x00", "\x08\x7f", "\u2028")
STRINGS = (
    *ESCAPES,
    "",
    " ",
    "x" * 5000,
    "../../etc/passwd",
    "/dev/null",
    "%s%n{0}{x!r}",
    "a\nb",
    "chance",
    "\u3164",
    "e\u0301" * 40,
    "\ud800",
    "Infinity",
    "1e400",
    "-0",
    "9" * 400,
)
NUMBERS: tuple[Any, ...] = (
    -1,
    0,
    1,
    2,
    2**31,
    2**63,
    -(2**63),
    10**40,
    0.5,
    1e308,
    float("inf"),
    float("-inf"),
    float("nan"),
    10**4000,
)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"": None}, [0] * 300, ["x"])
PIECES = (
    b"\x00",
    b"\xff\xfe",
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"\r",
    b"\n",
    b"\xef\xbb\xbf",
    b"\xc3",
    b"\xed\xa0\x80",
    b"{",
    b"]",
    b'"',
    b",",
    b"-",
    b"e9",
    b"\\",
    b"\\u001b",
    b"\t",
    b"#",
    b"9" * 50,
    b"[" * 3000,
    b'{"a":' * 3000,
    b"x" * 200_000,
)


def odd_value(rng: Random) -> Any:
    """Return a value of any kind that is seldom valid."""
    kind = rng.choice((STRINGS, NUMBERS, OTHERS))
    return rng.choice(kind)


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """Change, take out, insert or double a few bytes, or cut the rest off."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        until = min(len(data), at + rng.choice((1, 1, 2, 8, 100)))
        data = rng.choice(
            (
                lambda a, b, d: d[:a] + rng.choice(PIECES) + d[a:],
                lambda a, b, d: d[:a] + rng.choice(PIECES) + d[b:],
                lambda a, b, d: d[:a] + d[b:],
                lambda a, b, d: d[:a] + bytes(rng.randrange(256) for _ in range(b - a)) + d[b:],
                lambda a, b, d: d[:b] + d[a:b] + d[b:],
                lambda a, b, d: d[:a],
            )
        )(at, until, data)
    return data


def mutate_lines(data: bytes, rng: Random) -> bytes:
    """Take out, double, swap or cut lines, or end them as other systems do."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(8)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(other, lines[at])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 3:
        return b"".join(lines).replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", b"")))
    elif how == 4:
        return b"\xef\xbb\xbf" + b"".join(lines)
    elif how == 5:
        lines[at] = lines[at][: rng.randrange(len(lines[at]))]
    elif how == 6:
        return b"".join(lines[:at])
    else:
        lines.insert(at, rng.choice((b"\n", b"null\n", b"[]\n", b"{}\n", b"0\n", b'""\n')))
    return b"".join(lines)


def mutate_json(data: bytes, rng: Random) -> bytes:
    """Change values, keys or lists within one line of JSON."""
    lines = data.splitlines(keepends=True)
    at = min(rng.randrange(len(lines)), rng.randrange(len(lines)))  # the first lines say most
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return mutate_bytes(data, rng)
    for _ in range(rng.choice((1, 1, 1, 2))):
        value = changed(value, rng)
    try:
        lines[at] = json.dumps(value).encode() + b"\n"
    except (ValueError, RecursionError):
        return mutate_bytes(data, rng)
    return b"".join(lines)


def changed(value: Any, rng: Random) -> Any:
    """Return a JSON value with one thing in it changed."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        return _changed_object(dict(value), rng)
    if isinstance(value, list) and value and rng.random() < 0.85:
        return _changed_list(list(value), rng)
    if isinstance(value, int) and rng.random() < 0.4:
        return value + rng.choice((-1, 1, 100, -100))
    if isinstance(value, str) and rng.random() < 0.3:
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice(STRINGS) + value[at:]
    return odd_value(rng)


def _changed_object(value: dict[str, Any], rng: Random) -> dict[str, Any]:
    key = rng.choice(list(value))
    how = rng.randrange(10)
    if how == 0:
        del value[key]
    elif how == 1:
        value[rng.choice(STRINGS)] = value.pop(key)
    elif how == 2:
        value[rng.choice(STRINGS)] = odd_value(rng)
    elif how == 3:
        other = rng.choice(list(value))
        value[key], value[other] = value[other], value[key]
    else:
        value[key] = changed(value[key], rng)
    return value


def _changed_list(value: list[Any], rng: Random) -> list[Any]:
    at, how = rng.randrange(len(value)), rng.randrange(10)
    if how == 0:
        del value[at]
    elif how == 1:
        value.insert(at, value[at])
    elif how == 2:
        other = rng.randrange(len(value))
        value[at], value[other] = value[other], value[at]
    elif how == 3:
        value.insert(at, odd_value(rng))
    else:
        value[at] = changed(value[at], rng)
    return value


SCALARS = (
    *("null", "~", "true", "-1", "0", ".inf", "-.inf", ".nan", "1e400", "0x7f", "1_000", "''"),
    *("[]", "{}", "[a, [b, [c]]]", "{a: {b: c}}", "2001-01-01", "1:30", "=", "<<", "*x", "&x 1"),
    *('"\\e[2J\\a"', '"\\u202eabc"', '"\\0"', '"a\\rb"', "!!binary aGVsbG8=", "!!set {a, b}"),
    *("!!python/object/apply:os.system ['touch owned']", "!!timestamp x", "!!int x", "!x y"),
    *("9" * 400, "x" * 5000, "[" * 2000, "{a: " * 2000, "'", '"', "%", "@", "`", "|", ">", "- -"),
    *("&a [*a]", "? x", "*nobody", "\x00", "\x1b[2J", "\u202e", "\ufeff", "\u3164", "\t"),
)
# A billion laughs: a few lines of YAML that stand for a list of 3 GB.
LAUGHS = "".join(
    f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9 if n else ['lol'] * 9)}]\n" for n in range(9)
)
SCALAR = re.compile(r"(?<=: )[^\n,}\]]+|(?<=- )[^\n,}\]]+|\b[a-z_]+(?=:)")


def mutate_yaml(data: bytes, rng: Random) -> bytes:
    """Change scalars or keys, or add a rare feature of YAML."""
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        scalars = list(SCALAR.finditer(text))
        if not scalars or rng.random() < 0.1:
            extra = (LAUGHS, "---\n", "...\n", "%YAML 1.3\n---\n", "a: 1\na: 2\n", "? [a]\n: b\n")
            text = rng.choice((text + rng.choice(extra), rng.choice(extra) + text))
            continue
        span = rng.choice(scalars).span()
        # What is valid elsewhere, or a small number, often gets further than what is never valid.
        known = (rng.choice(scalars).group(), str(rng.randrange(12)), "0.5")
        scalar = rng.choice(known) if rng.random() < 0.5 else rng.choice(SCALARS)
        text = text[: span[0]] + scalar + text[span[1] :]
    return text.encode("utf-8", "surrogatepass")


def mutator(*kinds: Callable[[bytes, Random], bytes]) -> Callable[[bytes, Random], bytes]:
    """Return a mutator that takes one of several."""
    return lambda data, rng: rng.choice(kinds)(data, rng)


mutate_record = mutator(mutate_json, mutate_json, mutate_json, mutate_lines, mutate_bytes)
mutate_card_file = mutator(mutate_yaml, mutate_yaml, mutate_yaml, mutate_lines, mutate_bytes)
