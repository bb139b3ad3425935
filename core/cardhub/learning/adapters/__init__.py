"""cardhub games in the interfaces of other libraries; each needs that library installed."""

OPENSPIEL_MISSING = (
    "OpenSpiel is not installed. fix: pip install '.[openspiel]' in the checkout of cardhub"
)
