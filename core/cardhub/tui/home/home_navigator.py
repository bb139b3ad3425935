"""The navigator of an app: opens its screens and tables, and shows errors on the screen below."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from typing_extensions import override

from cardhub.base.errors import CardhubError, OptionError, PluginError
from cardhub.bots import LLM
from cardhub.bots.language.entry import usual_spec
from cardhub.lab.match.log.known_matches import KnownMatch
from cardhub.model.game.game import Game
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.saved.home_facts import HomeFacts
from cardhub.play.host.saved.preferences import Preferences, save_preferences
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.table_host import Host
from cardhub.plugins.level_texts import describe_levels
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.dialogs.help_screen import HelpScreen, cards_page
from cardhub.tui.home.home_screen import HomeScreen
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.tui.home.new_game import draft_of
from cardhub.tui.home.saved_screen import GamesScreen, MatchesScreen, SavedScreen
from cardhub.tui.home.settings_screen import SettingsScreen
from cardhub.tui.home.setup_screen import SetupScreen
from cardhub.tui.home.statistics_screen import StatisticsScreen
from cardhub.tui.palette import DEFAULT_THEME, as_textual, built_in
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.explain.explanations import rules_page
from cardhub.view.text.glyphs import Glyphs

LEFT_LESSON = "You left this lesson before its end."
LESSON_BUTTONS = {"continue": "Continue", "restart": "From the beginning", "close": "Back"}


class HomeNavigator(Navigator):
    """Opens screens of one app.

    `play` shows the table of a host, `show_replay` the replay of a record. Errors of plugins, bots
    and records are shown on the menu in front, and never end the app.
    """

    def __init__(
        self,
        app: App[Any],
        registry: PluginRegistry,
        preferences: Preferences,
        scheduler: Scheduler,
        glyphs: Glyphs,
        play: Callable[[Host], None],
        show_replay: Callable[[Path], None],
    ) -> None:
        self.facts = HomeFacts(registry)
        self.preferences = preferences
        self._app = app
        self._registry = registry
        self._scheduler = scheduler
        self.glyphs = glyphs
        self._play = play
        self._show_replay = show_replay

    def open(self) -> None:
        """Open the home screen."""
        self._app.push_screen(HomeScreen(self, self.glyphs))

    def show_message(self, text: str) -> None:
        """Show a message on the menu in front."""
        menus = [menu for menu in self._app.screen_stack if isinstance(menu, MenuScreen)]
        if menus:
            menus[-1].say(text)

    @property
    def opener(self) -> Opener:
        """An opener of tables with the current pace."""
        return Opener(self._registry, self._scheduler, pace=self.preferences.pace)

    @override
    def start(self, new: NewGame) -> None:
        self._attempt(lambda: self._play(self.opener.start(new)))

    @override
    def resume(self, path: Path) -> None:
        self._attempt(lambda: self._play(self.opener.resume(path)))

    @override
    def replay(self, path: Path) -> None:
        self._attempt(lambda: self._show_replay(path))

    @override
    def set_up(self, game: Game[Any], *, watches: bool = False) -> None:
        self._attempt(lambda: self._set_up(game, watches=watches))

    @override
    def learn(self, game: Game[Any]) -> None:
        self._attempt(lambda: self._learn(game))

    @override
    def list_games(self, purpose: str) -> None:
        self._app.push_screen(GamesScreen(self, purpose, self.glyphs))

    @override
    def list_saved(self, *, finished: bool) -> None:
        self._app.push_screen(SavedScreen(self, finished=finished, glyphs=self.glyphs))

    @override
    def show_statistics(self) -> None:
        self._app.push_screen(StatisticsScreen(self, self.glyphs))

    @override
    def list_matches(self) -> None:
        self._app.push_screen(MatchesScreen(self, self.glyphs))

    @override
    def show_summary(self, match: KnownMatch) -> None:
        self._attempt(lambda: self._show_summary(match))

    @override
    def show_settings(self) -> None:
        themes = self._registry.themes(built_in()).names()
        self._app.push_screen(SettingsScreen(self, list(themes), self.glyphs))

    @override
    def save(self, preferences: Preferences) -> None:
        if preferences.theme != self.preferences.theme:
            self._change_theme(preferences.theme)
        # Apply them first: they stay in force even if they cannot be written.
        self.preferences = preferences
        self._attempt(lambda: save_preferences(preferences))

    @override
    def leave(self) -> None:
        self._app.exit()

    def _attempt(self, action: Callable[[], object]) -> None:
        try:
            action()
        except CardhubError as error:
            self.show_message(as_notice(str(error)))

    def _set_up(self, game: Game[Any], *, watches: bool) -> None:
        bots = self._registry.bots_for(game.name)
        levels = self._registry.levels(game.name)
        about = {name: entry.summary for name, entry in bots.items()}
        about |= describe_levels(game, levels)
        # Bots with a required option, such as the command of a program, cannot be chosen here.
        complete = [name for name in bots if not self._refusal(name, game.name)]
        default, model = self._registry.default_level(game.name), usual_spec()
        further = (*complete, model)
        draft = draft_of(game, levels, further, default, self.preferences, watches=watches)
        # A language model that is not set up is shown with what it needs, because people who do not
        # know the command line would not find it otherwise.
        if reason := self._refusal(model, game.name):
            draft = replace(draft, refused={model: reason})
            about[LLM.name] = as_notice(reason)
        self._app.push_screen(SetupScreen(self, draft, about, self.glyphs))

    def _learn(self, game: Game[Any]) -> None:
        if game.display.lesson() is None:
            self._app.push_screen(self._rules(game))
        else:
            # Imported here, because the home screen does not need it.
            from cardhub.play.host.lessons.kept_lessons import is_lesson_begun

            if is_lesson_begun(game.name):
                title = self.glyphs.text(f"Lesson: {game.title}")
                dialog = MessageDialog(title, LEFT_LESSON, LESSON_BUTTONS)
                self._app.push_screen(dialog, partial(self._open_lesson, game.name))
            else:
                self._open_lesson(game.name, "restart")

    def _open_lesson(self, game: str, button: str | None) -> None:
        """Open a lesson where the person left it, or with the button `restart` from its start."""
        from cardhub.play.host.lessons.kept_lessons import open_kept_lesson

        if button not in ("continue", "restart"):
            return
        opener = Opener(self._registry, self._scheduler, self.preferences.pace, is_inline=True)
        restarts = button == "restart"
        self._attempt(lambda: self._play(open_kept_lesson(opener, game, restarts=restarts)))

    def _show_summary(self, match: KnownMatch) -> None:
        # Imported here, because only this page needs statistics and reports.
        from cardhub.lab.match.log.log_reader import read_games
        from cardhub.lab.report.rendering import markdown
        from cardhub.lab.report.report_files import result_in
        from cardhub.lab.report.view.page import read_page

        games = (game for _, game in read_games(match.folder))
        page = read_page(result_in(match.folder, self._registry), games)
        lines = markdown(page).splitlines()
        pages = {"Summary": lambda _: lines}
        self._app.push_screen(HelpScreen(pages, self.glyphs, first="Summary"))

    def _rules(self, game: Game[Any]) -> HelpScreen:
        rules, catalogue = rules_page(game).splitlines(), build_catalogue(game)
        pages = {"Rules": lambda _: rules, "Cards": lambda wanted: cards_page(catalogue, wanted)}
        return HelpScreen(pages, self.glyphs, first="Rules")

    def _refusal(self, bot: str, game: str) -> str:
        """Return why a bot cannot play, or an empty text."""
        try:
            self._registry.settings_of(bot, game)
        except (PluginError, OptionError) as error:
            return str(error.__cause__ or error)  # the cause does not repeat the name of the bot
        return ""

    def theme_of(self, name: str) -> Theme | str | None:
        """Return the theme with a name from the settings: a plugin's theme, or Textual's name."""
        themes = self._registry.themes(built_in())
        return themes.get(name)[0] if name in themes else name or None

    def _change_theme(self, name: str) -> None:
        theme = self.theme_of(name)
        if isinstance(theme, Theme):
            self._app.register_theme(as_textual(theme))
        if not self._app.no_color:
            self._app.theme = name or DEFAULT_THEME
