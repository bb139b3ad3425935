"""A match of language models that is killed many times pays no answer twice."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.kit.model_server import ModelServer

from cardhub.bots.language.entry import PROBE
from cardhub.bots.language.exchanges import Answers
from cardhub.bots.language.spending import SpendingMeter
from cardhub.lab.match.log.log_reader import ANSWERS

KILLS, WORKERS = 50, 2
# Without a secret, which a kill would lose: Leduc poker's bot `rule` does not come with cardhub.
CUP = """
cardhub_match: 1
salt: none
games: [leduc, gamon, gargon]
bots:
  - {{id: first, use: "llm:first,url={url}"}}
  - {{id: second, use: "llm:second,url={url}"}}
  - rule
blocks: 2
"""


def paid(models: ModelServer) -> int:
    """Return the number of requests, without the probes before each run."""
    return sum(PROBE not in str(body["messages"][-1]) for body in models.requests)


@pytest.mark.soak(reason="fifty runs of a match; test_no_answer_is_paid_twice has a short one")
def test_fifty_kills_cost_only_the_answers_under_way(tmp_path: Path, models: ModelServer) -> None:
    """The games are verified from the answers, without a request."""
    cup, folder, rng = tmp_path / "cup.yaml", tmp_path / "run", Random(1)
    cup.write_text(CUP.format(url=models.url))
    words = ["match", str(cup), "--out", str(folder), "--workers", str(WORKERS), "--quiet"]
    command = [sys.executable, "-m", "cardhub", *words, "--pages", "none"]
    for _ in range(KILLS):
        process = subprocess.Popen(command, start_new_session=True)
        due = paid(models) + rng.randint(1, 40)
        while paid(models) < due and process.poll() is None:
            time.sleep(0.02)  # it reads all requests, so more often costs more than the match
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True)
    stored = sum(
        usage.answers for usage in SpendingMeter(Answers(folder / ANSWERS)).usage().values()
    )
    assert stored <= paid(models) <= stored + KILLS * WORKERS
    models.requests.clear()
    check = [sys.executable, "-m", "cardhub", "match", "verify", str(folder), "--rerun", "100%"]
    said = subprocess.run(check, check=True, capture_output=True, text=True).stdout
    games = re.fullmatch(r"Nothing wrong was found in (\d+) games, \1 played again\.\n", said)
    assert games is not None, said
    assert int(games[1]) > KILLS
    assert models.requests == []
