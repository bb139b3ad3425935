"""The page on training a learner: its code and commands, from its top to its end."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.house.test_docs import BLOCK, LEARNER, Block, check_output, commands, write_files

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: make learn-test")

# What takes long is done less often here.
SHORTER = {
    "learn(10_000": "learn(500",
    "step_10000": "step_500",
    "step_20000": "step_1000",
    "step_30000": "step_1500",
    "blocks: 200": "blocks: 2",
    "ismcts:300": "ismcts:10",
    "every=5_000": "every=500, blocks=2",
    "run(20_000, workers=2)": "run(1000)",
    "every: 5000": "every: 500\nblocks: 2\nworkers: 1",
    "rounds: 4": "rounds: 2",
    "4 checkpoints, one after every 5,000": "2 checkpoints, one after every 500",
}
MORE: dict[tuple[str, ...], list[str]] = {
    ("bot", "check"): ["--positions", "20"],
    ("match", "learners.yaml"): ["--workers", "1"],
}


def shortened(text: str) -> str:
    """Return the page with a smaller budget."""
    for long, short in SHORTER.items():
        assert long in text
        text = text.replace(long, short)
    return text.replace("200 positions", "20 positions")


def test_the_page_is_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training, check, play, match, league and another framework, all in one folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("CARDHUB_HOME", "home")
    monkeypatch.setenv("COLUMNS", "80")
    page = tmp_path / LEARNER.name
    page.write_text(shortened(LEARNER.read_text("utf-8")), "utf-8")
    write_files(page, tmp_path)
    program = ModuleType("train_a_learner")
    monkeypatch.setitem(sys.modules, program.__name__, program)
    text = page.read_text("utf-8")
    for match in BLOCK.finditer(text):
        block = Block(page, text.count("\n", 0, match.start(2)) + 1, match[2])
        if match[1] == "python":
            exec(compile(block.code, page, "exec"), vars(program))  # noqa: S102  # the page is our own
        elif match[1] == "console":
            for command in commands(block):
                words = command.words + MORE.get(tuple(command.words[1:3]), [])
                check_output(page, command._replace(words=words))
    folder = Path("leagues/leduc/pool")
    pool = sorted(path.name for path in folder.iterdir())
    other = Path("leagues/in_python/pool")
    assert pool == ["step_00000500.zip", "step_00001000.zip"]
    # The file and the program describe the same training.
    assert all((other / name).read_bytes() == (folder / name).read_bytes() for name in pool)
