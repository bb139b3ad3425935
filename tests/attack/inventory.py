"""All doors, and how many cases each has in a full run."""

from tests.attack.cases import Door
from tests.attack.doors import (
    cardfiles,
    commands,
    kills,
    logs,
    matchfiles,
    messages,
    mixed_hands,
    personal_files,
    plugins,
    policies,
    programs,
    random_games,
    records,
    secrecy,
    served_tables,
    tables,
)

DOORS = (
    Door("records", "damaged records, replayed and exported", 1500, 10, records.attack_records),
    Door("saves", "damaged saves, resumed and listed", 800, 8, records.attack_saves),
    Door("cardfiles", "damaged card files", 800, 6, cardfiles.attack),
    Door("matchfiles", "damaged match files, played", 500, 15, matchfiles.attack),
    Door("logs", "damaged logs of matches", 600, 13, logs.attack),
    Door("policies", "damaged policies, measured and played", 800, 8, policies.attack),
    Door("programs", "bot programs at fault, in play and in matches", 400, 12, programs.attack),
    Door("plugins", "broken plugins, listed and used", 800, 6, plugins.attack),
    Door("commands", "odd command lines", 800, 8, commands.attack),
    Door("messages", "damaged messages between processes", 2000, 2, messages.attack),
    Door("files", "damaged settings, notes, lessons and views", 3000, 3, personal_files.attack),
    Door("tables", "tables with everything in any order", 400, 6, tables.attack),
    Door("visited tables", "visitors of served tables", 300, 6, served_tables.attack_visits),
    Door("server killed", "kills of a server in play", 100, 20, served_tables.attack_killed),
    Door("play killed", "interruptions of games at the table", 100, 12, kills.attack_play),
    Door("matches killed", "interruptions of matches", 50, 20, kills.attack_matches),
    Door("mixed hands", "determinizations of mixed hands", 200, 3, mixed_hands.attack),
    Door("random games", "random games, checked at each step", 600, 10, random_games.attack),
    Door("secrecy", "two worlds, compared through every exit", 50_000, 32, secrecy.attack),
)
