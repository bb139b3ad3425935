"""The chapters of the site: every page is in one of them, or building fails."""

HOMES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "games/gargon/cardhub_gargon/rules.md": "games/gargon.md",
    "games/gamon/cardhub_gamon/rules.md": "games/gamon.md",
    "games/garner/cardhub_garner/rules.md": "games/garner.md",
}
"""Pages that stand outside docs/, and where the site has them."""

CHAPTERS: dict[str, tuple[str, ...]] = {
    "Start": ("install", "play", "cli"),
    "The games": (
        "games/gargon",
        "games/gamon",
        "games/garner",
        "rulings/gargon",
        "rulings/gamon",
        "rulings/garner",
    ),
    "Write a game": ("concepts", "write-a-game", "game-reference", "examples"),
    "Write a bot": ("bots", "bot-protocol"),
    "Write a plugin": ("plugins",),
    "Run a match": ("matches", "reading-a-report", "results", "statistics"),
    "Learn from games": ("learning", "arrays", "openspiel"),
    "Formats": ("records",),
    "Trust": ("security",),
    "Help": ("faq", "troubleshooting", "upgrading", "comparison"),
    "The code": ("architecture", "benchmarks", "changes"),
}
"""By title, the names of the pages."""
