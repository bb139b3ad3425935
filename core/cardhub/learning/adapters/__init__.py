"""cardhub games in the interfaces of other libraries; each needs that library installed."""

OPENSPIEL_MISSING = "OpenSpiel is not installed. Install it with: pip install 'cardhub[openspiel]'"
