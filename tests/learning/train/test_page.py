"""The page on training an opponent: its commands, with a shorter training."""

from pathlib import Path

import pytest
from tests.house.test_docs import TRAINING, blocks, check_output, commands, write_files

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")


def test_the_commands_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDHUB_HOME", "home")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("cardhub.learning.train.training.TABLES", 32)
    monkeypatch.setattr("cardhub.learning.train.measuring.GAMES", 32)
    write_files(TRAINING, tmp_path)
    for block in blocks(TRAINING, "console"):
        for command in commands(block):
            words = [
                "2" if word == "1" and "train" in command.words else word for word in command.words
            ]
            words = ["--updates" if word == "--minutes" else word for word in words]
            check_output(TRAINING, command._replace(words=words))
    assert {path.name for path in tmp_path.glob("kuhn*")} == {"kuhn.net", "kuhn.net.training"}
