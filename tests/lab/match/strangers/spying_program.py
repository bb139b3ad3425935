"""A program that plays the first legal action, and notes the secrets that it can read before.

    spying_program.py FOLDER NOTES

It looks into all files of the folder of its match, and at the command lines and environments of all
processes; each line of its notes has the words that could be a secret or a seed.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

WORD = re.compile(rb"\b[0-9a-f]{32,64}\b")


def sources(folder: Path) -> Iterator[bytes]:
    """Yield the content of the files in which a secret could be."""
    processes = [path for path in Path("/proc").glob("[0-9]*") if path.is_dir()]
    for path in (
        *folder.rglob("*"),
        *(process / name for process in processes for name in ("cmdline", "environ")),
    ):
        with suppress(OSError):
            yield path.read_bytes()


def answer(message: dict[str, object]) -> None:
    """Write a message of the protocol."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer messages until the end of the input."""
    folder, notes = map(Path, sys.argv[1:])
    is_first = True
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer({"name": "spy", "protocol": 1})
        elif message["type"] == "game":
            is_first = True
        elif message["type"] == "turn":
            if is_first:
                words = {word.decode() for text in sources(folder) for word in WORD.findall(text)}
                with notes.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(sorted(words)) + "\n")
            is_first = False
            answer({"action": message["legal"][0]["action"]})


if __name__ == "__main__":
    main()
