"""The chapters of the site: every page is in one of them, or building fails."""

HOMES = {"README.md": "index.md", "CHANGELOG.md": "changes.md"}
"""Pages that stand outside docs/, and where the site has them."""

CHAPTERS: dict[str, tuple[str, ...]] = {
    "Play": ("cli", "rulings/gargon", "rulings/gamon", "rulings/garner"),
    "Write a game": ("concepts", "write-a-game", "game-reference", "examples"),
    "Write a bot": ("bots", "bot-protocol"),
    "Write a plugin": ("plugins",),
    "Run a match": ("matches", "results", "statistics"),
    "Learn from games": ("learning", "arrays", "openspiel"),
    "Formats": ("records",),
    "Trust": ("security",),
    "The code": ("architecture", "benchmarks", "changes"),
}
"""By title, the names of the pages."""
