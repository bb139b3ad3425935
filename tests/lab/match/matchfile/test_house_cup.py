"""The match file that comes with cardhub."""

from tests.kit.paths import ROOT

from cardhub.lab.match.blocks import Games, groups
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.plugins.registry import PluginRegistry

HOUSE = ROOT / "matches" / "house.yaml"


def test_the_house_cup_can_be_played(registry: PluginRegistry) -> None:
    """All bots meet in all three games; `out` is set, which puts all files in one folder."""
    match = read_match(HOUSE, registry)
    games = Games(match)
    met = {
        (contest.id, len(groups(match, contest)), games.size(contest.id, bots))
        for contest in match.contests
        for bots in groups(match, contest)
    }
    assert met == {("gargon", 1, 4), ("gamon", 6, 4), ("garner", 6, 2)}
    bots = {entrant.id for entrant in match.entrants}
    assert bots == {"rule", "pimc", "ismcts-50", "ismcts-1000"}
    assert (match.rating.anchor, match.out) == ({"rule": 0}, "runs/house")
