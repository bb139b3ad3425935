"""Many games and what they prove: matches, statistics, reviews, reports and studies.

`from cardhub.lab import run_match, read_match` is public; the modules inside may move.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardhub.lab.api import *  # noqa: F403  # all names of api.__all__
    from cardhub.lab.stats import ConfidenceSequence as ConfidenceSequence
    from cardhub.lab.stats import Hypotheses as Hypotheses
    from cardhub.lab.stats import PlayedGame as PlayedGame
    from cardhub.lab.stats import Sprt as Sprt
    from cardhub.lab.stats import Verdict as Verdict
    from cardhub.lab.stats import after_stop as after_stop
    from cardhub.lab.stats import as_elo as as_elo
    from cardhub.lab.stats import certified_cycles as certified_cycles
    from cardhub.lab.stats import fit_ratings as fit_ratings
    from cardhub.lab.stats import mean_score as mean_score
    from cardhub.lab.stats import payoffs_of as payoffs_of
    from cardhub.lab.stats import sign_flip as sign_flip

STATISTICS = (
    "ConfidenceSequence",
    "Hypotheses",
    "PlayedGame",
    "Sprt",
    "Verdict",
    "after_stop",
    "as_elo",
    "certified_cycles",
    "fit_ratings",
    "mean_score",
    "payoffs_of",
    "sign_flip",
)


def __getattr__(name: str) -> Any:
    # Imported on first use, as most modules of this package are imported for one thing only.
    if name in STATISTICS:
        import cardhub.lab.stats as stats

        return globals().setdefault(name, getattr(stats, name))
    import cardhub.lab.api as api

    if name == "__all__":
        return [*api.__all__, *STATISTICS]
    if name not in api.__all__:
        raise AttributeError(f"module 'cardhub.lab' has no attribute {name!r}")
    return globals().setdefault(name, getattr(api, name))
