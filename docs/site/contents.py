"""The chapters of the site: every page is in one of them, or building fails.

They follow Diátaxis: tutorials teach, how-to guides solve a task, reference pages are for looking
things up, and explanations give reasons.
"""

HOMES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "games/gargon/cardhub_gargon/rules.md": "games/gargon.md",
    "games/gamon/cardhub_gamon/rules.md": "games/gamon.md",
    "games/garner/cardhub_garner/rules.md": "games/garner.md",
}
"""Pages that stand outside docs/, and where the site has them."""

CHAPTERS: dict[str, tuple[str, ...]] = {
    "Tutorials": (
        "install",
        "play",
        "use-from-python",
        "write-a-game",
        "write-a-bot",
        "run-a-match",
        "training",
        "train-a-learner",
    ),
    "How-to guides": (
        "recipes",
        "private-knowledge",
        "simultaneous-choices",
        "secrets",
        "amounts",
        "hosting",
        "reading-a-report",
        "studies",
        "grade-a-course",
        "run-a-contest",
        "compiling",
        "troubleshooting",
        "upgrading",
    ),
    "Reference: games": (
        "games/gargon",
        "games/gamon",
        "games/garner",
        "rulings/gargon",
        "rulings/gamon",
        "rulings/garner",
        "game-reference",
        "card-file",
        "game-checks",
        "examples",
        "glossary",
    ),
    "Reference: commands and formats": (
        "cli",
        "records",
        "plugins",
        "bots",
        "bot-protocol",
        "language-models",
        "assistants",
        "match-file",
        "results",
        "learning",
    ),
    "Explanation": (
        "why-cardhub",
        "concepts",
        "fair-matches",
        "statistics",
        "security",
        "benchmarks",
    ),
    "The code": (
        "architecture",
        "decisions/001-games-declare-who-sees-a-zone",
        "decisions/002-actions-are-small-steps",
        "decisions/003-chance-is-a-seat",
        "decisions/004-states-are-mutable-ints",
        "decisions/005-front-ends-send-commands",
        "decisions/006-bots-run-in-processes",
        "decisions/007-a-match-counts-blocks",
        "decisions/008-plugins-only-register",
        "decisions/009-rare-parts-need-a-page",
        "decisions/010-programs-import-few-modules",
        "browser-table",
        "changes",
    ),
}
"""By title, the names of the pages."""
