"""Two bots at a time: their totals, results, verdicts and partnerships."""
