"""Run the samples of a page with the installed wheel, except those that need an extra."""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXTRAS = ("cardhub.gymnasium", "cardhub.pettingzoo", "cardhub.textarena", "cardhub_openspiel")


def main() -> None:
    """Run the samples of the page that is given as one program."""
    page = Path(sys.argv[1]).read_text("utf-8")
    samples = [code for code in BLOCK.findall(page) if not any(extra in code for extra in EXTRAS)]
    if len(samples) < 3:
        sys.exit(f"{sys.argv[1]} has only {len(samples)} samples")
    exec(compile("\n".join(samples), sys.argv[1], "exec"), {"__name__": "__main__"})  # noqa: S102  # a page of this repository


if __name__ == "__main__":
    main()
