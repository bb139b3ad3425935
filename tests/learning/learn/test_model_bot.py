"""The bot `model`, and the files that it loads."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from tests.learning.learn.conftest import MakeModel
from tests.learning.learn.loaders import floats

from cardhub.base.errors import BotError, OptionError
from cardhub.bots.asking import ask
from cardhub.learning.arrays import Layout
from cardhub.learning.learn import save
from cardhub.learning.learn.model_file import DESCRIPTION
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing import check_spec

PLAYERS = [Player("Anna", "random"), Player("Bob", "random")]


@pytest.fixture
def deal(registry: PluginRegistry) -> Referee[Any]:
    """Return a game of Kuhn poker at its first decision: check or bet."""
    referee = set_up(registry.game("kuhn"), PLAYERS, {}, seed=1)
    referee.proceed()
    return referee


def changed(path: Path, **values: object) -> Path:
    """Replace values of a model's description."""
    with ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    parts[DESCRIPTION] = json.dumps(json.loads(parts[DESCRIPTION]) | values).encode()
    with ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return path


def test_a_model_passes_the_checks_of_bots(registry: PluginRegistry, model: MakeModel) -> None:
    path = model(floats(1, 2, 3, 4), "weighted")
    report = check_spec(registry, f"model:{path}", "kuhn", positions=20)
    assert report.passed, report.findings


def test_actions_are_drawn_with_the_probabilities_of_the_policy(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    bot = registry.make_bot(f"model:{model(floats(1, 3, 9, 9), 'weighted')}", "kuhn", Random(1))
    counts = Counter(ask(bot, deal.observe(0)).chosen() for _ in range(400))
    assert counts.keys() == {0, 1}
    assert 270 <= counts[1] <= 330  # 300 are expected; the seed is fixed


def test_a_greedy_model_takes_the_most_probable_action(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    path = model(floats(2, 3, 9, 9), "weighted")
    bot = registry.make_bot(f"model:{path},greedy=yes", "kuhn", Random(1))
    assert {ask(bot, deal.observe(0)).chosen() for _ in range(20)} == {1}


def test_a_policy_without_probabilities_for_legal_actions_draws_any(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    """A policy that was trained without masks may end like this."""
    bot = registry.make_bot(f"model:{model(floats(0, 0, 1, 0), 'weighted')}", "kuhn", Random(1))
    assert {ask(bot, deal.observe(0)).chosen() for _ in range(20)} == {0, 1}


def test_a_policy_may_return_actions(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    """The policy returns one number per row of the mask."""
    bot = registry.make_bot(f"model:{model()}", "kuhn", Random(1))
    assert ask(bot, deal.observe(0)).chosen() == 1


def test_an_illegal_action_of_a_policy_is_a_fault(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    bot = registry.make_bot(f"model:{model(loader='stubborn')}", "kuhn", Random(1))
    deal.apply(1)
    with pytest.raises(BotError, match=r"action 0, which is not legal: \[2, 3\]"):
        ask(bot, deal.observe(1)).chosen()


def test_a_model_is_refused_in_another_game(registry: PluginRegistry, model: MakeModel) -> None:
    path = model()
    with pytest.raises(OptionError, match="is a model for kuhn, not leduc"):
        registry.settings_of(f"model:{path}", "leduc")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fingerprint": "kuhn 0"}, "was trained with kuhn 1 and another layout"),
        ({"layout": {"hands": 3}}, "another layout: .*hands"),
        ({"loader": "tests.learning.learn.loaders:nothing"}, "nothing cannot be imported"),
        (
            {"loader": "tests.learning.learn.loaders:broken"},
            "cannot be loaded by .*: ValueError: no such",
        ),
    ],
)
def test_a_model_that_does_not_fit_is_refused_when_it_is_loaded(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any], changes: Any, message: str
) -> None:
    """Another version of the game or the layout, or a loader that is not installed."""
    bot = registry.make_bot(f"model:{changed(model(), **changes)}", "kuhn", Random(1))
    with pytest.raises(BotError, match=message):
        ask(bot, deal.observe(0)).chosen()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("model", "option file is missing. fix: name a file"),
        ("model:nothing.zip", "the file 'nothing.zip' does not exist"),
        ("model:.", "the file '.' is a folder"),
        ("model:text.zip", "text.zip is not a model: File is not a zip file"),
        ("model:empty.zip", "fix: save it with cardhub.learning.save"),
        ("model:new.zip", "new.zip has format 2; this version reads 1"),
    ],
)
def test_a_file_that_is_no_model_is_refused(
    registry: PluginRegistry,
    model: MakeModel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.zip").write_text("weights")
    with ZipFile("empty.zip", "w") as file:
        file.writestr("data", "")
    changed(model(name="new.zip"), format=2)
    with pytest.raises(OptionError, match=re.escape(message)):
        registry.settings_of(spec, "kuhn")


def test_a_file_that_was_replaced_is_loaded_again(
    registry: PluginRegistry, model: MakeModel, deal: Referee[Any]
) -> None:
    """A training may write the same file repeatedly."""
    spec = f"model:{model(floats(1, 0, 1, 1), 'weighted')}"
    assert ask(registry.make_bot(spec, "kuhn", Random(1)), deal.observe(0)).chosen() == 0
    model(floats(0, 0.5, 0, 0, 0), "weighted")
    assert ask(registry.make_bot(spec, "kuhn", Random(1)), deal.observe(0)).chosen() == 1


def test_weights_are_bytes_and_frameworks_are_named(kuhn: Layout, tmp_path: Path) -> None:
    """Models that cannot be loaded again are not saved."""
    with pytest.raises(OptionError, match=r"not an algorithm of Stable-Baselines3. fix: pass the"):
        save(object(), kuhn, tmp_path / "model.zip")
    with pytest.raises(OptionError, match="with a loader the model is bytes, not list"):
        save([1.0], kuhn, tmp_path / "model.zip", loader="mine:load")
    with pytest.raises(OptionError, match=r"object has no layout. fix: pass a Layout"):
        save(b"", object(), tmp_path / "model.zip", loader="mine:load")
    assert not [*tmp_path.iterdir()]
