"""Levels: `beginner` to `expert` stand for a bot of the game, and their processes."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from tests.cli.conftest import SAMPLES
from tests.plugins.test_bot_options import PATIENT

from cardhub.base.errors import OptionError, PluginError
from cardhub.cli.main import cli
from cardhub.play.seating import Player
from cardhub.play.setup import seated, set_up
from cardhub.plugins.bot_files import spec_at
from cardhub.plugins.bot_index import LEVELS, USUAL, levels_of
from cardhub.plugins.registry import PluginRegistry, find_plugins

Registry = Callable[[str], PluginRegistry]
REGISTRY = find_plugins()


@pytest.fixture
def registry(folder: Path, game_source: str) -> Registry:
    """Return a function that makes a registry whose game `higher` declares some levels."""

    def make(levels: str) -> PluginRegistry:
        line = "    state_type = Table\n"
        source = game_source.replace(line, f"{line}    levels = {levels}\n")
        (folder / "higher.py").write_text(source)
        (folder / "waiting.py").write_text(PATIENT)
        return find_plugins([folder])

    return make


@pytest.mark.parametrize(
    ("bots", "levels"),
    [
        (("random", "rule"), {"beginner": "hasty:25,player=rule", "easy": "rule"}),
        (("random",), {}),
        (
            ("random", "ismcts"),
            {
                "beginner": "hasty:25,player=ismcts:50",
                "easy": "ismcts:50",
                "medium": "ismcts:300",
                "hard": "ismcts:1000",
            },
        ),
    ],
)
def test_any_game_has_the_usual_levels(bots: tuple[str, ...], levels: dict[str, str]) -> None:
    """A default level exists if its bot plays the game."""
    assert levels_of(REGISTRY.game("kuhn"), bots.__contains__) == levels


def test_a_level_stands_for_the_bot_that_the_game_names(registry: Registry) -> None:
    """A level is valid in place of a bot spec; the weakest level comes first."""
    plugins = registry('{"hard": "patient:7,then=random", "easy": "patient"}')
    assert [level for level in plugins.levels("higher") if level != "medium"] == ["easy", "hard"]
    assert plugins.levels("higher")["hard"] == "patient:7,then=random"
    assert vars(plugins.make_bot("hard", "higher", Random(1)))["turns"] == 7
    assert plugins.settings_of("hard", "higher")["turns"] == 7


def test_a_level_can_be_an_option_of_a_bot(registry: Registry) -> None:
    """A bot as an option of another bot may be a level."""
    plugins = registry('{"hard": "patient:7"}')
    bot = plugins.make_bot("patient:2,then=hard", "higher", Random(1))
    assert vars(vars(bot)["then"])["turns"] == 7


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        ('{"easy": "ruel"}', "level 'easy' of 'higher' is 'ruel': unknown bot 'ruel'"),
        ('{"hard": "patient:99"}', "option turns cannot be '99': it is a number from 1 to 9"),
        ('{"hard": "random:9"}', "it has no options, so '9' is not allowed"),
        ('{"easy": "random", "hard": "easy"}', "'hard' of 'higher' is 'easy': unknown bot 'easy'"),
        ('{"hard": "patient:then=hard"}', "unknown bot 'hard'"),
    ],
)
def test_a_level_without_a_valid_bot_is_reported_when_it_is_used(
    registry: Registry, levels: str, reason: str
) -> None:
    """The listing of plugins shows the error; other bots of the game still work."""
    plugins = registry(levels)
    word = "easy" if "ruel" in levels else "hard"
    with pytest.raises(PluginError) as error:
        plugins.settings_of(word, "higher")
    assert reason in str(error.value)
    (listed,) = (listing for listing in plugins.listed() if listing.declared.name == "higher")
    assert reason in listed.error
    assert plugins.make_bot("random", "higher", Random(1))


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        (
            '{"hrad": "random"}',
            r"'higher' has no level 'hrad'\. Did you mean 'hard'\? Levels: beginner, easy",
        ),
        ('{"hard": 3}', "level 'hard' of 'higher' is 3, not a bot as text"),
        ('["random"]', r"levels of 'higher' is \['random'\], not a mapping"),
    ],
)
def test_invalid_levels_are_a_fault_of_the_plugin(
    registry: Registry, levels: str, reason: str
) -> None:
    """The check runs when the plugin is loaded."""
    with pytest.raises(PluginError, match=reason):
        registry(levels).game("higher")


def test_no_bot_is_called_like_a_level(folder: Path, bots_source: str) -> None:
    """The plugin's other bots play; the bot that would never be meant is ignored."""
    (folder / "bots.py").write_text(
        bots_source.replace('"shower"', '"hard"').replace("bridge", "kuhn")
    )
    registry = find_plugins([folder])
    (warning,) = registry.bot_clashes("kuhn")
    assert warning.startswith("bot 'hard' of plugin 'bots' of ")
    assert warning.endswith(" is ignored: the name belongs to the levels")
    assert registry.has_bot("picky", "kuhn")
    assert registry.levels("kuhn")["hard"] == "ismcts:1000"


def test_the_error_for_a_wrong_bot_name_lists_the_levels(registry: Registry) -> None:
    """A typo in the name of a level gets a suggestion."""
    with pytest.raises(PluginError, match=r"'hrad'\. Did you mean 'hard'\? .*levels: (\w+, )*hard"):
        registry('{"hard": "random"}').settings_of("hrad", "higher")


def test_a_level_has_the_options_of_its_bot(registry: Registry) -> None:
    """The spec of a level cannot contain a level."""
    with pytest.raises((OptionError, PluginError), match="unknown bot 'hard'"):
        registry('{"easy": "random", "hard": "easy:3"}').settings_of("hard:3", "higher")


def test_a_wrong_level_makes_a_plugin_broken_in_the_listing(registry: Registry) -> None:
    """The listing marks the game as broken and shows the error."""
    folder = registry('{"hard": "ruel"}').directories[0]
    result = CliRunner().invoke(cli, ["--plugins-dir", str(folder), "plugins"])
    assert "level 'hard' of 'higher' is 'ruel'" in result.stderr


def test_the_adviser_thinks_in_as_many_processes_as_there_are() -> None:
    """It has the same time as with one process."""
    assert REGISTRY.spread("adviser", "gamon", 2) == "ismcts:milliseconds=2000,workers=2"
    assert REGISTRY.spread("adviser", "gamon", 1) == "ismcts:milliseconds=2000"


@pytest.mark.parametrize("level", LEVELS)
def test_levels_that_count_iterations_are_the_same_everywhere(level: str) -> None:
    assert REGISTRY.spread(level, "gamon", 2) == REGISTRY.levels("gamon")[level]


def test_hints_come_from_a_search_by_the_clock(registry: Registry) -> None:
    plugins = registry('{"hard": "patient:7"}')
    assert plugins.default_hint("higher") == "adviser"
    assert plugins.settings_of("adviser", "higher")["milliseconds"] == 2000
    assert "adviser" not in plugins.levels("higher")


def test_a_game_without_determinizations_has_hints_of_its_level_hard(folder: Path) -> None:
    source = (SAMPLES / "higher.py").read_text("utf-8")
    line = "    state_type = Table\n"
    reason = '    no_determinizations = "its packs are built in play"\n'
    for levels, hint in (('    levels = {"hard": "random"}\n', "hard"), ("", "random")):
        place = folder / hint
        place.mkdir()
        text = source.replace(line, f"{line}{reason}{levels}")
        (place / "higher.py").write_text(text, "utf-8")
        plugins = find_plugins([place])
        assert plugins.default_hint("higher") == hint
        with pytest.raises(PluginError, match="'adviser' cannot play: higher has no determ"):
            plugins.settings_of("adviser", "higher")


@pytest.mark.parametrize("game", ["gamon", "gargon", "garner", "hearts"])
def test_games_with_networks_have_five_levels_with_faces_that_count_iterations(game: str) -> None:
    levels, opponents = REGISTRY.levels(game), REGISTRY.game(game).display.opponents
    assert [*levels] == [*opponents] == [*LEVELS]
    assert len({*levels.values()}) == len({o.name for o in opponents.values()}) == len(LEVELS)
    for level in levels:
        assert not any(part.looks_at_clock for part in REGISTRY.parts(level, game))


def test_a_level_with_a_network_is_the_usual_one_at_tables_without_it() -> None:
    assert spec_at(REGISTRY, "expert", "gamon") == "expert"
    assert spec_at(REGISTRY, "expert", "gamon", 2, {"coins": 50}) == USUAL["hard"]["ismcts"]
    assert spec_at(REGISTRY, "hard", "spades") == "hard"
    # Whoever names the network itself is refused there.
    assert spec_at(REGISTRY, "trained", "gamon", 2, {"coins": 50}) == "trained"


def test_a_level_plays_at_tables_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USUAL, "hard", {"ismcts": "ismcts:3"})
    players = [Player("Anna", "expert"), Player("Bob", "random")]
    referee = set_up(REGISTRY.game("gamon"), players, {"coins": 20}, seed=1)
    referee.proceed()
    with seated(REGISTRY, referee) as bots:
        assert bots[0].choose(referee.observe(0)) in referee.observe(0).legal()


def test_a_bot_that_is_not_a_level_has_the_processes_of_its_spec() -> None:
    """The author of a spec decides how it is computed."""
    assert REGISTRY.spread("ismcts:milliseconds=2000", "gamon", 2) == "ismcts:milliseconds=2000"
