"""cardhub games in the interfaces of other libraries, which must be installed."""

OPENSPIEL_MISSING = (
    "OpenSpiel is not installed. fix: pip install '.[openspiel]' in the checkout of cardhub"
)
