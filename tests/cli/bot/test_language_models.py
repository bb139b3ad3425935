"""Language models as players of the command line: the page's own commands, menus and errors."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.conftest import Run
from tests.kit.model_server import answer, failure, running_server
from tests.kit.paths import ROOT

from cardhub.bots import LLM
from cardhub.bots.language.endpoint import OPENAI_KEY
from cardhub.bots.language.entry import USUAL, usual_spec
from cardhub.plugins.registry import find_plugins

SECTION = (
    (ROOT / "docs" / "language-models.md")
    .read_text("utf-8")
    .partition("## Play against a language model")[2]
)


def test_the_pages_commands_play_whole_games(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPENAI_KEY, "key")
    own_part = SECTION.partition("\n## ")[0]
    commands = re.findall(r"^cardhub (play .*)$", own_part, re.MULTILINE)
    assert len(commands) == 2
    registry = find_plugins()
    with running_server() as models:
        for command in commands:
            words = shlex.split(command)
            bots = [word.partition("=")[2] for word in words if "=" in word]
            for bot in bots:
                if bot != "human":
                    registry.settings_of(bot, words[1])
            # Bots play alone, and the server of this test answers.
            played = command.replace("human", "random")
            played = re.sub(r"llm:([\w-]+)\S*", rf"llm:\1,url={models.url}", played)
            result = run(*shlex.split(played), "--plain", "--seed", "1")
            assert "The game is over" in result.stdout
        assert len(models.requests) > 10


def test_the_pages_match_is_estimated_and_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the smallest game, because Gamon takes longer."""
    monkeypatch.setenv(OPENAI_KEY, "key")
    monkeypatch.chdir(tmp_path)
    prices = SECTION.partition("```yaml\n# prices.yaml\n")[2].partition("```")[0]
    (tmp_path / "prices.yaml").write_text(prices.replace("gpt-5-mini", "m"))
    estimate, match = re.findall(r"^cardhub (match gamon .*)$", SECTION, re.MULTILINE)
    with running_server() as models:
        for command in (estimate, match):
            played = command.replace("gamon rule", "kuhn random")
            played = played.replace("gpt-5-mini", f"m,url={models.url}")
            result = run(*shlex.split(played))
            assert result.exit_code == 0, result.stderr
            assert "Estimate for 20 games" in result.stderr
            assert ("20 games in 10 blocks" in result.output) == (command == match)
    assert (tmp_path / "runs" / "kuhn-random-llm-m" / "report.html").exists()


def test_the_page_names_every_option() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", SECTION, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == list(LLM.options)


def test_everybody_reads_why_a_server_gave_no_answer(run: Run) -> None:
    with running_server(lambda _: failure(401, "You sent Q")) as models:
        bot = f"Bob=llm:m,url={models.url}"
        result = run("play", "kuhn", "--plain", "--seat", "Anna=random", "--seat", bot)
    assert result.exit_code == 3
    host = models.url[7:-3]
    assert f"gets no answer from m at {host}: the key is missing or wrong" in result.stderr
    assert "You sent" not in result.output


def test_an_unclear_answer_ends_a_game_with_its_kind(run: Run) -> None:
    with running_server(lambda _: answer("I like cards.")) as models:
        bot = f"Bob=llm:m,url={models.url}"
        result = run("play", "kuhn", "--plain", "--seat", "Anna=random", "--seat", bot)
    assert "answered without naming an action" in result.stderr
    assert "I like cards" not in result.output


def test_menus_offer_the_model_of_the_environment() -> None:
    assert usual_spec({}) == "llm"
    assert usual_spec({USUAL: "gemma3,url=http://x/v1"}) == "llm:gemma3,url=http://x/v1"


def test_a_match_pauses_at_its_limit_and_goes_on_with_a_higher_one(
    run: Run, tmp_path: Path
) -> None:
    """What was paid is said; the same command goes on with a higher limit, and pays it once."""
    with running_server() as models:
        words = ["kuhn", f"llm:m,url={models.url}", "random", "--blocks", "3", "--workers", "1"]

        def match(tokens: int) -> Result:
            return run("match", *words, "--out", tmp_path / "cup", "--tokens", str(tokens))

        first = match(100)
        assert "have used the 100 tokens of this match, which has paused" in first.stderr
        asked = len(models.requests)
        again = match(100)
        assert again.exit_code == 4
        assert models.asked()[asked:] == []
        whole = match(10_000)
        assert whole.exit_code == 0
        assert f"{len(models.requests) - 1} answers of llm-m in" in whole.stdout
        assert "80 % of them from the cache of its server" in " ".join(whole.stdout.split())
        assert len(models.requests) > asked
