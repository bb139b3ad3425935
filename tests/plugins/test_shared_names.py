"""Games, bots and other objects of two packages that have one name: neither silently wins."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from cardhub.base.errors import PluginError
from cardhub.cli.main import cli
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
BOT = """
from cardhub import BotEntry, hookimpl
from cardhub.bots import RandomBot
class {kind}(RandomBot): pass
@hookimpl
def register_bots():
    return [BotEntry("careful", "{kind}", {kind}, games={games})]
"""
OTHERS = """
from cardhub import Exporter, GameCollection, Theme, hookimpl
@hookimpl
def register_collections():
    return [GameCollection("attic", "{0}", make)]
def make(name, rest):
    from higher_{0} import Higher
    game = Higher()
    game.name = name
    return game
@hookimpl
def register_exporters():
    return [Exporter("tally", "{0}", lambda game: "")]
@hookimpl
def register_themes():
    return [Theme("dusk", "{0}", "#112233")]
"""


@pytest.fixture
def two_games(install: Install, game_source: str) -> None:
    """Install two packages that have a game `higher` each, of different titles."""
    for word in ("one", "two"):
        source = game_source.replace('"Higher"', f'"Higher {word}"')
        install(f"card-{word}", {GAMES: {"higher": f"higher_{word}"}}, **{f"higher_{word}": source})


@pytest.fixture
def two_bots(install: Install) -> None:
    """Install two packages whose plugins, of one name, have a bot `careful` each."""
    for word in ("one", "two"):
        source = BOT.format(kind=f"Careful{word}", games=None)
        install(f"bots-{word}", {PLUGINS: {"bots": f"bots_{word}"}}, **{f"bots_{word}": source})


@pytest.mark.usefixtures("two_games")
def test_a_game_of_two_packages_is_played_by_its_name_with_the_package() -> None:
    registry = find_plugins()
    for word in ("one", "two"):
        name = f"card-{word}/higher"
        game = registry.game(name)
        # Records, matches and other processes find the game again by its name.
        assert (game.name, game.title) == (name, f"Higher {word} (card-{word})")
        assert registry.is_game(name)
        assert registry.game(name) is game


@pytest.mark.usefixtures("two_games")
def test_a_name_that_two_packages_have_is_an_error_with_both_remedies() -> None:
    registry = find_plugins()
    reason = (
        "game 'higher' is claimed twice: by plugin 'higher' of card-one 1.0 and by plugin 'higher' "
        "of card-two 1.0. fix: write card-one/higher or card-two/higher"
    )
    assert not registry.is_game("higher")
    assert registry.unknown_game("higher") == reason
    with pytest.raises(PluginError) as error:
        registry.game("higher")
    assert str(error.value) == reason
    assert registry.clashes() == [reason]


@pytest.mark.usefixtures("two_games")
def test_games_of_one_name_are_listed_with_their_packages() -> None:
    registry = find_plugins()
    names = registry.game_names()
    assert "higher" not in names
    assert {"card-one/higher", "card-two/higher"} <= set(names)
    statuses = [s for s in registry.listed() if s.declared.name == "higher"]
    assert [status.error for status in statuses] == ["", ""]


def test_a_name_with_the_package_is_valid_without_another_game_of_the_name(
    install: Install, game_source: str
) -> None:
    install("card-one", {GAMES: {"higher": "higher_one"}}, higher_one=game_source)
    registry = find_plugins()
    assert registry.game("higher").display.game.name == "higher"
    assert registry.game("card-one/higher").display.game.name == "card-one/higher"
    assert registry.game("higher").name == "higher"
    assert registry.game_names().count("higher") == 1
    assert "card-one/higher" not in registry.game_names()


def test_a_game_that_is_made_with_arguments_keeps_them_under_its_full_name(
    install: Install, game_source: str
) -> None:
    made = """
from cardhub import hookimpl
class Made(Higher):
    def __init__(self, stakes):
        self.stakes = stakes
@hookimpl
def register_games():
    return [Made([1, 2])]
"""
    install("card-one", {GAMES: {"higher": "higher_one"}}, higher_one=game_source + made)
    registry = find_plugins()
    facts = [
        (game.name, game.title, vars(game)["stakes"])
        for game in map(registry.game, ("higher", "card-one/higher", "higher"))
    ]
    short = ("higher", "Higher", [1, 2])
    assert facts == [short, ("card-one/higher", "Higher (card-one)", [1, 2]), short]


def test_a_game_of_cardhub_is_played_by_its_short_name_only(install: Install) -> None:
    install("thief", {GAMES: {"gargon": "thief_game"}}, thief_game="raise SystemExit(9)")
    registry = find_plugins()
    for name in ("cardhub/gargon", "thief/gargon"):
        assert not registry.is_game(name)
        with pytest.raises(PluginError, match="unknown game"):
            registry.game(name)
    assert "Did you mean 'gargon'?" in registry.unknown_game("cardhub/gargon")


def test_an_entry_point_cannot_take_the_full_name_of_another_package(
    install: Install, game_source: str
) -> None:
    install("card-one", {GAMES: {"higher": "higher_one"}}, higher_one=game_source)
    install("thief", {GAMES: {"card-one/higher": "thief_game"}}, thief_game="raise SystemExit(9)")
    assert find_plugins().game("card-one/higher").title == "Higher (card-one)"


def test_games_of_two_plugins_directories_have_the_last_parts_of_their_paths_before_their_names(
    tmp_path: Path, game_source: str
) -> None:
    folders = [tmp_path / "mine", tmp_path / "yours"]
    for folder in folders:
        folder.mkdir()
        (folder / "higher.py").write_text(game_source)
    registry = find_plugins(folders)
    assert registry.game("mine/higher").name == "mine/higher"
    assert "fix: write mine/higher or yours/higher" in registry.unknown_game("higher")


def test_two_plugins_directories_of_one_name_need_the_option_that_leaves_one_out(
    tmp_path: Path, game_source: str
) -> None:
    folders = [tmp_path / "a" / "plugins", tmp_path / "b" / "plugins"]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "higher.py").write_text(game_source)
    registry = find_plugins(folders)
    for name in ("higher", "plugins/higher"):
        assert not registry.is_game(name)
        assert f"fix: leave one out: --no-plugin {folders[1]}/higher" in registry.unknown_game(name)


def test_a_collection_that_two_packages_have_is_named_with_the_package(
    install: Install, game_source: str
) -> None:
    for word in ("one", "two"):
        modules = {f"others_{word}": OTHERS.format(word), f"higher_{word}": game_source}
        install(f"card-{word}", {PLUGINS: {f"others-{word}": f"others_{word}"}}, **modules)
    registry = find_plugins()
    game = registry.game("card-two/attic:a/b")
    assert (game.name, type(game).__module__) == ("card-two/attic:a/b", "higher_two")
    with pytest.raises(PluginError, match="fix: write card-one/attic or card-two/attic"):
        registry.game("attic:a/b")
    exporter, declared = registry.exporters().get("card-one/tally")
    assert (exporter.summary, declared.distribution) == ("one", "card-one")
    assert registry.themes(()).get("card-two/dusk")[0].summary == "two"
    assert {"card-one/dusk", "card-two/dusk"} <= set(registry.themes(()).names())
    with pytest.raises(PluginError, match="fix: write card-one/dusk or card-two/dusk"):
        registry.themes(()).get("dusk")


@pytest.mark.usefixtures("two_bots")
def test_a_bot_of_two_packages_is_made_by_its_name_with_the_package() -> None:
    registry = find_plugins()
    for word in ("one", "two"):
        name = f"bots-{word}/careful"
        assert type(registry.make_bot(name, "gargon", Random(1))).__name__ == f"Careful{word}"
        origin = registry.origin(name, "gargon")
        assert origin is not None
        assert origin.distribution == f"bots-{word}"
        (part,) = registry.parts(name, "gargon")
        assert part.entry.name == name
        assert registry.bots_for("gargon")[name].name == name


@pytest.mark.usefixtures("two_bots")
def test_a_bot_with_its_package_can_be_the_option_of_another_bot() -> None:
    spec = "ismcts:iterations=2,rollout=bots-two/careful"
    names = [part.entry.name for part in find_plugins().parts(spec, "gargon")]
    assert names == ["ismcts", "bots-two/careful", "random"]


@pytest.mark.usefixtures("two_bots")
def test_a_bots_name_that_two_packages_have_is_an_error_with_both_remedies() -> None:
    registry = find_plugins()
    remedy = "fix: write bots-one/careful or bots-two/careful"
    with pytest.raises(PluginError, match=remedy):
        registry.bot("careful", "gargon")
    (warning,) = registry.bot_clashes("gargon")
    assert warning.endswith(remedy)
    assert not registry.has_bot("careful", "gargon")


@pytest.mark.usefixtures("two_games")
def test_a_bot_for_a_game_plays_it_under_its_full_name_too(install: Install) -> None:
    source = BOT.format(kind="Careful", games=("higher",))
    install("bots-three", {PLUGINS: {"three": "bots_three"}}, bots_three=source)
    registry = find_plugins()
    assert registry.has_bot("careful", "card-one/higher")
    assert not registry.has_bot("careful", "gargon")


def test_a_record_with_the_short_name_finds_the_game_with_its_cards_and_rules(
    install: Install, game_source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    install("card-one", {GAMES: {"higher": "higher_one"}}, higher_one=game_source)
    record = str(tmp_path / "left.jsonl")
    words = ["play", "higher", "--plain", "--seat", "A=human", "--record", record]
    left = CliRunner().invoke(cli, words, input="quit\n")
    assert left.exit_code == 0, left.stderr
    second = game_source.replace("state.face[hand[0]] for", "3 * state.face[hand[0]] for")
    assert second != game_source
    install("card-two", {GAMES: {"higher": "higher_two"}}, higher_two=second)
    resumed = CliRunner().invoke(cli, ["resume", "--plain", record], input="1\n1\n")
    assert resumed.exit_code == 0, resumed.stderr
    assert "by 1 point" in resumed.stdout


@pytest.mark.usefixtures("two_bots", "two_games")
def test_commands_say_what_to_type_for_a_name_that_two_packages_have(tmp_path: Path) -> None:
    def run(*words: str) -> Result:
        environment = {"CARDHUB_HOME": str(tmp_path / "home"), "COLUMNS": "80"}
        return CliRunner().invoke(cli, words, prog_name="cardhub", env=environment)

    for command in (["play"], ["rules"], ["bot", "list"], ["check"]):
        refused = run(*command, "higher")
        assert refused.exit_code == 2
        assert f". fix: cardhub {' '.join(command)} card-one/higher\n" in refused.stderr
    listed = run("bot", "list").stdout
    assert "\nbots-one/careful" in listed
    assert "\ncareful" not in listed
    assert "\ncard-two/higher " in run("games").stdout
    record = str(tmp_path / "game.jsonl")
    seats = ("--seat", "A=bots-two/careful", "--seat", "B=random")
    played = run("play", "card-two/higher", "--plain", *seats, "--record", record)
    assert played.exit_code == 0, played.stderr
    header = json.loads(Path(record).read_text().splitlines()[0])
    assert (header["game"], header["players"][0]["kind"]) == (
        "card-two/higher",
        "bots-two/careful",
    )
    replayed = run("replay", "--plain", record)
    assert "Higher two (card-two)" in replayed.stdout
