"""Match files that several tests play."""

KUHN = """
    cardhub_match: 1
    name: small
    seed: 7
    bots:
      - {id: a, use: random}
      - {id: b, use: random}
    games:
      - {game: kuhn, score: rank}
    schedule: {blocks: 10}
"""
KUHN_AND_GARGON = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {id: a, use: first}
      - {id: b, use: first}
      - {id: c, use: first}
    games:
      - {game: kuhn, score: rank}
      - {game: gargon, players: 3}
    schedule: {blocks: 5}
"""
# One bot is at fault: a continued or distributed match must agree on withdrawals as well.
WITH_CHEAT = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: cup
    seed: 11
    bots:
      - {id: a, use: random}
      - {id: b, use: brisk}
      - {id: bad, use: "cheat:after=3"}
    games:
      - {game: leduc, score: rank}
    schedule: {blocks: 4}
    faults: {max: 2}
"""
