// The tables at which this browser has a seat, and their finished games: only for the holders of their tokens.

import { loadToken } from "../net/storage.js";

// The server is asked about this number of tables, the latest first.
const MOST_ASKED = 24;
// Of finished games, this number is shown.
const MOST_FINISHED = 4;

/**
 * Ask the server about the own tables; those of which it knows nothing are left out.
 * @param {string[]} ids ids of tables, latest first
 * @returns {Promise<object[]>} entries of the lobby: tables at which it is the person's turn first
 */
export async function fetchOwnTables(ids) {
  const answers = await Promise.all(ids.slice(0, MOST_ASKED).map((table) => fetchAsHolder(table, "offer")));
  const offers = answers.filter(Boolean).map((offer) => ({ ...offer, isOwn: true }));
  const finished = offers.filter(({ stage }) => stage === "over");
  const others = offers.filter(({ stage }) => stage !== "over");
  return [...others.sort((first, second) => rank(first) - rank(second)), ...finished.slice(0, MOST_FINISHED)];
}

function rank({ is_turn: isTurn, stage }) {
  if (isTurn) return 0;
  return stage === "playing" ? 1 : 2;
}

/**
 * Ask the server for the finished games at the own tables, the last one first.
 * @param {string[]} ids ids of tables, latest first
 * @returns {Promise<object[]>} as in `OwnGame`
 */
export async function fetchOwnGames(ids) {
  const answers = await Promise.all(ids.slice(0, MOST_ASKED).map((table) => fetchAsHolder(table, "games")));
  return answers.flatMap((answer) => answer?.games ?? []).sort((first, second) => second.ended - first.ended);
}

async function fetchAsHolder(table, part) {
  try {
    const headers = { Accept: "application/json", Authorization: `Bearer ${loadToken(table)}` };
    const answer = await fetch(`/t/${encodeURIComponent(table)}/${part}`, { headers });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the lobby says that the server cannot be reached
  }
}
