"""Numbers as they are shown: rounded, with signs and units."""

from cardhub.report.shape import Deals, Estimate

NONE = "–"
MINUS = "−"
ENDLESS = "∞"


def number(value: float | None, digits: int = 3) -> str:
    """Return a number with a true minus sign."""
    if value is None:
        return NONE
    told = f"{value:.{digits}f}"
    if float(told) == 0:
        told = told.removeprefix("-")
    return told.replace("-", MINUS)


def signed(value: float | None, digits: int = 0) -> str:
    """Return a difference: with its sign, if it is not nothing."""
    told = number(value, digits)
    has_sign = value is None or told.startswith(MINUS) or float(told) == 0
    return told if has_sign else f"+{told}"


def count(value: int) -> str:
    """Return a count, its thousands apart."""
    return f"{value:,}".replace("-", MINUS)


def percent(value: float | None, digits: int = 0) -> str:
    """Return a share as a percentage."""
    return NONE if value is None else f"{number(100 * value, digits)} %"


def p_value(value: float | None) -> str:
    """Return a probability, the small ones by what they stay under."""
    if value is None:
        return NONE
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


def elo(found: Estimate | None) -> str:
    """Return an Elo without its interval; one that has no end either way is beyond all numbers."""
    if found is None or (found["value"] is None and None not in (found["low"], found["high"])):
        return NONE
    return signed(found["value"]) if found["value"] is not None else "beyond"


def elo_range(found: Estimate | None) -> str:
    """Return the interval of an Elo."""
    if found is None or found["low"] == found["high"] is not None:
        return NONE
    low = MINUS + ENDLESS if found["low"] is None else signed(found["low"])
    high = "+" + ENDLESS if found["high"] is None else signed(found["high"])
    return f"{low} to {high}"


def interval(found: Estimate) -> str:
    """Return the interval of an Elo where it is all that is known: a bound if it has one end."""
    low, high = found["low"], found["high"]
    if low is None:
        return "unknown" if high is None else f"below {signed(high)}"
    return f"above {signed(low)}" if high is None else f"{signed(low)} to {signed(high)}"


def span(found: Estimate | None, digits: int = 3) -> str:
    """Return the interval of any other number."""
    if found is None or found["low"] is None or found["high"] is None:
        return NONE
    return f"{number(found['low'], digits)} to {number(found['high'], digits)}"


def percents(found: Estimate) -> str:
    """Return the interval of a share."""
    return f"{percent(found['low'])} to {percent(found['high'])}"


def value(found: Estimate | None, digits: int = 3) -> str:
    """Return any other number without its interval."""
    return NONE if found is None else number(found["value"], digits)


def rank(best: int | None, worst: int | None) -> str:
    """Return a range of ranks: `1` or `2–4`."""
    if best is None or worst is None:
        return NONE
    return str(best) if best == worst else f"{best}–{worst}"


def deals(found: Deals | None) -> str:
    """Return the first and last number of a deal."""
    if not found:
        return NONE
    return str(found[0]) if found[0] == found[-1] else f"{found[0]} to {found[-1]}"


def listed(words: list[str], last: str = "and") -> str:
    """Return words as a list in a sentence."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def times(number_of: int, one: str, many: str = "") -> str:
    """Return a count with what is counted."""
    return f"{count(number_of)} {one if number_of == 1 else many or one + 's'}"


def opening(words: str) -> str:
    """Return words as a sentence begins with them."""
    return words[:1].upper() + words[1:]


def circles(apparent: int) -> str:
    """Return how many circles there are by mean scores, none of which is certain."""
    if not apparent:
        return "By mean scores, too, there is none."
    verb, told = "is" if apparent == 1 else "are", times(apparent, "circle")
    return f"By mean scores alone there {verb} {told} of three bots, each beating the next."
