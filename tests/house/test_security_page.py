"""The page on security lists all checks of secrecy and all attacks."""

import re

from tests.attack.inventory import DOORS
from tests.kit.paths import ROOT

from cardhub.testing.checking import RECORD_CHECKS
from cardhub.testing.game_checks.display_checks.comparisons import SHOWN_CHECKS

CHECKS = (ROOT / "docs" / "security.md").read_text("utf-8").partition("\n## Checks\n")[2]


def test_every_check_of_secrecy_is_listed() -> None:
    """The order is the order of `cardhub check`."""
    names = [check.__name__.removeprefix("check_") for check in SHOWN_CHECKS]
    names += [name for name in RECORD_CHECKS if name.startswith("same_")]
    assert re.findall(r"`(same_\w+)`", CHECKS) == names


def test_every_attack_is_listed_with_its_cases() -> None:
    """The cases are the cases of a full run."""
    rows = re.findall(r"^\| (\w.*) \| ([\d,]+) \|$", CHECKS, re.MULTILINE)
    assert rows == [(door.attacks, f"{door.cases:,}") for door in DOORS]
