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
    "Start": ("install", "play", "hosting", "cli"),
    "The games": (
        "games/gargon",
        "games/gamon",
        "games/garner",
        "rulings/gargon",
        "rulings/gamon",
        "rulings/garner",
    ),
    "Tutorials": ("write-a-game", "write-a-bot", "run-a-match", "find-mistakes", "train-a-learner"),
    "Games": (
        "concepts",
        "recipes",
        "card-file",
        "game-reference",
        "private-knowledge",
        "game-checks",
        "examples",
    ),
    "Bots": ("bots", "bot-protocol"),
    "Plugins": ("plugins", "compiling"),
    "Matches": (
        "reading-a-report",
        "match-file",
        "match-folder",
        "fair-matches",
        "bots-in-matches",
        "several-machines",
        "results",
        "statistics",
    ),
    "Learning": ("learning", "arrays", "openspiel", "studies"),
    "Formats": ("records",),
    "Trust": ("security",),
    "Help": ("faq", "troubleshooting", "upgrading", "expectations", "comparison"),
    "The code": ("architecture", "browser-table", "benchmarks", "changes"),
}
"""By title, the names of the pages."""
