"""`cardhub match` says what language models cost, and pauses at a limit of dollars."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.conftest import Run
from tests.kit.model_server import (
    ModelServer,
    Page,
    answer,
    failure,
    random_model,
    running_server,
    write_cup,
)
from tests.kit.replay_texts import decompressed

from cardhub.lab.analysis.model_figures import models_in


def data_of(page: Path) -> str:
    """Return the data of the page of a game as text."""
    data = re.search(r'id="replay-data">([^<]*)<', page.read_text())
    assert data is not None
    return str(decompressed(data[1]))


PRICES = "m: {read: 0.25, cached: 0.05, written: 2}\n"


@pytest.fixture
def models() -> Iterator[ModelServer]:
    """Run a server whose model plays at random."""
    with running_server(random_model(Random(1))) as server:
        yield server


def test_the_command_says_what_a_match_costs_before_it_plays(
    run: Run, tmp_path: Path, models: ModelServer
) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES)
    words = ["match", write_cup(tmp_path, models), "--out", tmp_path / "runs", "--workers", "1"]
    only = run(*words, "--prices", tmp_path / "prices.yaml", "--estimate")
    said = " ".join(only.stderr.split())
    assert only.exit_code == 0
    assert "Estimate for 8 games, from" in said
    assert "without a cache." in said
    assert "chips a game, and smaller ones" in said
    assert not (tmp_path / "runs" / "games.jsonl").exists()
    unpriced = " ".join(run(*words).stderr.split())
    assert "The price of llm-m is unknown. fix:" in unpriced
    assert "m: {read: DOLLARS, written: DOLLARS}" in unpriced


def test_a_limit_in_dollars_needs_prices_and_pauses_the_match(
    run: Run, tmp_path: Path, models: ModelServer
) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES)
    words = ["match", write_cup(tmp_path, models), "--out", tmp_path / "runs", "--workers", "1"]
    refused = run(*words, "--dollars", "0.0001")
    assert refused.exit_code == 4
    assert "the match has a limit in dollars. The price of llm-m is unknown" in refused.stderr
    paused = run(*words, "--dollars", "0.0001", "--prices", tmp_path / "prices.yaml")
    said = " ".join(paused.stderr.split())
    assert "The match pauses before its end, at its limit of $0.0001." in said
    assert "The models have used the $0.0001 of this match, which has paused." in said
    figures = models_in(tmp_path / "runs")
    assert figures is not None
    assert figures.dollars is not None
    assert figures.dollars >= 0.0001


def play_badly(models: ModelServer) -> None:
    """Let every second answer be illegal, and one request fail."""
    play, asked = models.model, 0

    def respond(body: dict[str, Any]) -> Page:
        nonlocal asked
        asked += 1
        if asked == 4:
            return failure(429, Retry_After="0")
        return answer("I <b>fold</b>.\nFinal answer: fold") if asked % 2 else play(body)

    models.model = respond


def test_the_report_has_the_work_of_models_and_pages_what_they_said(
    run: Run, tmp_path: Path, models: ModelServer
) -> None:
    """Refused answers are listed by kind and reason, and no answer is in the report."""
    (tmp_path / "prices.yaml").write_text(PRICES)
    play_badly(models)
    folder = tmp_path / "runs"
    words = ["match", write_cup(tmp_path, models), "--out", folder, "--workers", "1"]
    said = " ".join(run(*words, "--prices", tmp_path / "prices.yaml").stdout.split())
    figures = models_in(folder)
    assert figures is not None
    (bot,) = figures.bots
    assert bot.refused.keys() == {"illegal"}
    assert bot.faults == 1
    assert bot.games == 8
    assert bot.dollars == pytest.approx(figures.dollars)
    assert f", for ${bot.dollars:.2g}." in said
    for report in ("report.html", "report.md"):
        text = (folder / report).read_text()
        assert "Language models" in text
        assert "fault of the server, tried again" in text
        assert bot.reasons[0][1].replace("'", "&#39;") in text or bot.reasons[0][1] in text
        assert "<b>fold</b>" not in text
    verified = run("match", "verify", folder)
    assert verified.exit_code == 0, verified.stdout
    assert "models.json was not verified" in verified.stderr
    files = (folder / "answers" / bot.bot).glob("[!e]*.jsonl")
    games = [path.stem.partition(".")[0] for path in files]
    listed = [run("match", "show", folder, game, "--with-answers").stdout for game in games]
    assert ", after 1 refused answer\n    Final answer: " in "".join(listed)
    game = next(g for g, text in zip(games, listed, strict=True) if "llm-m (seat" in text)
    assert run("match", "show", folder, game, "--with-answers", "--html").exit_code == 2
    page = tmp_path / "page.html"
    assert run("match", "show", folder, game, "--with-answers", "--html", page).exit_code == 0
    assert "Final answer: " in data_of(page)
    assert run("match", "show", folder, game, "--html", tmp_path / "other.html").exit_code == 0
    assert "Final answer: " not in data_of(tmp_path / "other.html")
