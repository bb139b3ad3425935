"""Two themes, one dark and one light."""

from cardhub import Theme, hookimpl


@hookimpl
def register_themes() -> list[Theme]:
    """Return a dark and a light theme."""
    dusk = Theme(
        "dusk", "blue before night", "#8fa3c7", background="#1b1f2b", cards={"red": "#e06c75"}
    )
    return [dusk, Theme("dawn", "pale", "#2e6f95", is_dark=False)]
