"""Parser of the section `limits`, which stands apart because only it has sizes with units."""

import re

from cardhub.base.yamlfile import NumberRange, Schema, Section, StringType
from cardhub.bots.processes.control_groups import ResourceLimits

_SIZE = re.compile(r"([1-9][0-9]{0,14})([KMG]?)")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LIMITS = Schema(
    {
        "memory": StringType("a size such as 512M or 2G", lambda text: bool(_SIZE.fullmatch(text))),
        "processors": NumberRange(0, 10_000, is_closed=False),
        "processes": range(1, 100_001),
        "ponder": ("yes", "no"),
    }
)


def read_limits(top: Section) -> ResourceLimits | None:
    """Parse the section `limits`; None if the file has none."""
    if "limits" not in top:
        return None
    values = top.section("limits", LIMITS, "{memory: 512M, processors: 1}").values
    size = _SIZE.fullmatch(values.get("memory", ""))
    return ResourceLimits(
        memory=int(size[1]) * UNITS[size[2]] if size else None,
        processors=values.get("processors"),
        processes=values.get("processes"),
        ponder=values.get("ponder") == "yes",
    )
