"""The page of the home screen, and screens that list saved games, installed games and matches."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from time import time

from textual.timer import Timer
from typing_extensions import override

from cardhub.base.writing import amount
from cardhub.lab.match.log.known_matches import MatchProgress, known_matches
from cardhub.play.host.saved.home_facts import OWN_GAMES, GameFacts, HomeFacts
from cardhub.play.host.saved.saved_list import SavedGame, time_ago
from cardhub.tui.home.menu.menu_drawing import MenuPage, MenuRow, MenuSection, Preview, preview_room
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.tui.home.previews import SavedPreviews
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.text.glyphs import UNICODE, Glyphs

LEARN = "cardhub learn"
# The unfinished games on the page; one row leads to all others.
MOST_UNFINISHED = 2
# The number of games that a digit opens.
DIGITS = 9
HOME_FOOTER = (
    ("↑↓", "move"),
    ("enter", "open"),
    ("1-9", "new game"),
    ("/", "search"),
    (":", "command"),
    ("?", "help"),
    ("q", "quit"),
)
MORE = (
    ("replay", "r", "Replay a game"),
    ("watch", "w", "Watch bots play"),
    ("stats", "s", "Statistics"),
    ("matches", "m", "Matches"),
    ("learn", "l", "Learn a game"),
    ("settings", "t", "Settings"),
)


def home_page(facts: HomeFacts, matches: Sequence[MatchProgress] = ()) -> MenuPage:
    """Return the page of the home screen from the loaded facts; `matches`: the latest first."""
    games = [
        game_row(game, str(number) if number <= DIGITS else "")
        for number, game in enumerate(facts.games.values(), 1)
    ]
    sections = [
        MenuSection("learn", list(_first_lesson(facts))),
        MenuSection("continue", list(_unfinished(facts))),
        MenuSection("play", games),
        MenuSection("more", [_more(facts, matches, *row) for row in MORE]),
    ]
    parts = [version("cardhub"), amount(len(facts.games), "game")]
    if facts.bots:
        parts.append(amount(facts.bots, "bot"))
    return MenuPage("cardhub", " · ".join(parts), [s for s in sections if s.rows], HOME_FOOTER)


def saved_row(facts: HomeFacts, saved: SavedGame, key: str = "") -> MenuRow:
    """Return a saved game's row: title, state, players and age."""
    line = facts.line(saved, replays=saved.is_finished)
    text = " · ".join(filter(None, (line.state, line.players, line.age)))
    detail = as_notice(line.error) or _detail(saved, line.title, line.state)
    return MenuRow(f"saved:{saved.path}", line.title, text, key, detail=detail)


def game_row(game: GameFacts, key: str = "") -> MenuRow:
    """Return an installed game's row: players, length and tagline, or why it cannot be loaded."""
    text = f"cannot be loaded: {game.error}" if game.error else game.tagline
    text = text.removeprefix(f"{game.title}: ").rstrip(".")
    parts = (game.seats, game.length, text)
    detail = as_notice(game.error) or f"Enter sets up a new game of {game.title}."
    return MenuRow(
        f"game:{game.name}", game.title, " · ".join(filter(None, parts)), key, "", detail
    )


def _first_lesson(facts: HomeFacts) -> Iterator[MenuRow]:
    """Yield the row of a lesson if no game has been played yet."""
    name = next((name for name in OWN_GAMES if name in facts.games), "")
    if name and not (facts.finished or facts.unfinished):
        title, text = facts.games[name].title, f"your first hand, with comments: {LEARN} {name}"
        detail = f"Enter starts a first hand of {title} with comments."
        yield MenuRow(f"learn:{name}", f"Learn {title}", text, detail=detail)


def _unfinished(facts: HomeFacts) -> Iterator[MenuRow]:
    for number, saved in enumerate(facts.unfinished[:MOST_UNFINISHED]):
        yield saved_row(facts, saved, "" if number else "c")
    rest = len(facts.unfinished) - MOST_UNFINISHED
    if rest > 0:
        yield MenuRow("unfinished", f"{rest} more …", "cardhub resume --list")
    for number, error in enumerate(facts.errors[:1]):
        count = len(facts.errors)
        text = f"{amount(count, 'saved game')} cannot be read"
        yield MenuRow(f"error:{number}", text, error, detail=as_notice(error))


def _more(
    facts: HomeFacts, matches: Sequence[MatchProgress], name: str, key: str, label: str
) -> MenuRow:
    return MenuRow(name, label, _about(facts, matches, name), key)


def _about(facts: HomeFacts, matches: Sequence[MatchProgress], name: str) -> str:
    if name == "replay":
        count = len(facts.finished)
        if not count:
            return "no finished games yet"
        last = facts.line(facts.finished[0])
        return f"{amount(count, 'game')}; the last was {last.title}, {last.age}"
    return {
        "watch": "in any game, at any pace",
        "stats": facts.results_line(),
        "matches": _about_matches(matches),
        "learn": "a first hand with comments",
        "settings": "theme, card size, pace, names",
    }[name]


def _about_matches(matches: Sequence[MatchProgress]) -> str:
    running = [progress for progress in matches if progress.state == "running"]
    if running:
        return f"{len(running)} running: {running[0].amount}"
    if matches:
        last, count = matches[0], amount(len(matches), "match", "matches")
        return f"{count}; the last is {last.match.folder.name}, {last.state}"
    return "many games between bots: cardhub match FILE"


def _detail(saved: SavedGame, title: str, state: str) -> str:
    names = ", ".join(map(str, saved.players))
    if saved.is_finished:
        return f"{title}: {state}. {names}. Enter opens the replay."
    return f"{title}: {names}; {saved.actions} actions. Enter continues it where you left off."


FOOTER = (("↑↓", "move"), ("enter", "open"), ("/", "search"), ("esc", "back"))
# The most games that are replayed to show their state; a replay takes milliseconds.
MOST_REPLAYED = 30
# Seconds between two steps of loading games, during which keys are handled.
LOAD_BREAK = 0.02
# Seconds between two updates of running matches.
MATCH_SECONDS = 2.0
PURPOSES = {"watch": "Watch bots play", "learn": "Learn a game"}


class SavedScreen(MenuScreen):
    """All unfinished games, which Enter resumes, or all finished games, which it replays."""

    def __init__(self, navigator: Navigator, *, finished: bool, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._is_finished = finished
        self._previews = SavedPreviews(navigator.facts, glyphs)

    @override
    def build(self) -> MenuPage:
        facts = self._navigator.facts
        games = facts.finished if self._is_finished else facts.unfinished
        rows = []
        for saved in games:
            if saved.number <= MOST_REPLAYED:
                facts.line(saved, replays=True)
            row = saved_row(facts, saved)
            rows.append(row._replace(label=f"{saved.number:>3}  {row.label}"))
        if not rows:
            state = "finished" if self._is_finished else "unfinished"
            rows = [MenuRow("none", f"no {state} games yet", is_stop=False)]
        title = "Replay a game" if self._is_finished else "Continue a game"
        section = MenuSection("newest first", rows)
        count = amount(len(games), "game")
        return MenuPage(f"cardhub  {title}", count, [section], FOOTER)

    @override
    def on_screen_resume(self) -> None:
        self._navigator.facts.read()
        self.rebuild()

    @override
    def open_row(self, row: MenuRow) -> None:
        path = Path(row.id.partition(":")[2])
        if self._is_finished:
            self._navigator.replay(path)
        else:
            self._navigator.resume(path)

    @override
    def preview(self, row: MenuRow | None) -> Preview | None:
        width, height = preview_room(self.page, *self.size)
        if row is None or not height or self._is_finished:
            return None
        cards = self._navigator.preferences.card_size
        return self._previews.of(Path(row.id.partition(":")[2]), width, height, cards)


class GamesScreen(MenuScreen):
    """All installed games, to `watch` or to `learn` one; a broken game shows its error."""

    def __init__(self, navigator: Navigator, purpose: str, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._purpose = purpose
        self._steps = navigator.facts.load(0)
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Load the remaining games, one at a time."""
        # The person may have left the home screen before it loaded all games.
        self._timer = self.set_interval(LOAD_BREAK, self._load)

    def _load(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            if self._timer is not None:
                self._timer.stop()
        self.rebuild()

    @override
    def build(self) -> MenuPage:
        games = self._navigator.facts.games.values()
        rows = [self._row(game, str(n) if n < 10 else "") for n, game in enumerate(games, 1)]
        section = MenuSection("choose a game", rows)
        return MenuPage(f"cardhub  {PURPOSES[self._purpose]}", "", [section], FOOTER)

    def _row(self, facts: GameFacts, key: str) -> MenuRow:
        row = game_row(facts, key)
        if facts.game is None:
            return row
        if self._purpose == "watch":
            return row._replace(detail=f"Enter sets up a game of {facts.title} between bots.")
        if facts.game.display.lesson() is None:
            return row._replace(text="rules and cards", detail="Enter opens the rules and cards.")
        text = "a first hand with comments"
        return row._replace(text=text, detail=f"Enter starts {text}.")

    @override
    def open_row(self, row: MenuRow) -> None:
        facts = self._navigator.facts.game(row.id.partition(":")[2])
        if facts.game is None:
            self.say(as_notice(facts.error))
        elif self._purpose == "watch":
            self._navigator.set_up(facts.game, watches=True)
        else:
            self._navigator.learn(facts.game)


class MatchesScreen(MenuScreen):
    """The matches of bots: their progress, their reports, and the commands to continue them."""

    def __init__(self, navigator: Navigator, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._matches = known_matches()

    def on_mount(self) -> None:
        """Follow the matches that are running."""
        self.set_interval(MATCH_SECONDS, self._follow)

    def _follow(self) -> None:
        self._matches = known_matches()
        self.rebuild()

    @override
    def build(self) -> MenuPage:
        rows = [_match_row(progress) for progress in self._matches]
        if not rows:
            text = "start one with: cardhub match FILE"
            rows = [MenuRow("none", "no matches yet", text, is_stop=False)]
        count = amount(len(self._matches), "match", "matches")
        return MenuPage("cardhub  Matches", count, [MenuSection("newest first", rows)], FOOTER)

    @override
    def open_row(self, row: MenuRow) -> None:
        path = row.id.partition(":")[2]
        matches = (progress.match for progress in self._matches)
        self._navigator.show_summary(next(m for m in matches if str(m.folder) == path))


def _match_row(progress: MatchProgress) -> MenuRow:
    match, state = progress.match, progress.state
    text = f"{state} · {progress.amount} · {time_ago(progress.changed, time())}"
    detail = f"{match.folder}: Enter shows the results so far."
    if state == "finished":
        detail = f"{match.folder}: Enter shows the results."
    elif state == "stopped":
        detail += f" To continue it: {match.command}"
    return MenuRow(f"match:{match.folder}", match.folder.name, text, detail=detail)
