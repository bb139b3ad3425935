"""cardhub games in the interfaces of other libraries; each needs that library installed."""
