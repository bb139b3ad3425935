// The own finished games in this browser: the results against bots, and all games with their replays.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";
import { postJson } from "../net/requests.js";
import { loadTables } from "../net/storage.js";
import { showToast, toastRegion } from "../parts/toasts.js";
import { titledSection } from "../parts/widgets.js";
import { fetchOwnGames } from "./own_tables.js";
import { linkItem } from "./table_list.js";

// The server takes at most this number of outcomes.
const MOST_OUTCOMES = 300;

/**
 * Show the page at `/games`.
 * @param {HTMLElement} root
 */
export async function startGames(root) {
  document.title = "Your games · cardhub";
  toastRegion();
  const results = element("div", "on-results-box", element("p", "on-empty", "Loading …"));
  const games = element("div", "on-tables");
  root.replaceChildren(element("main", "on-lobby on-games",
    element("header", "on-games-head", withAttributes(element("a", "on-button is-quiet", "← Lobby"), { href: "/" }), element("h1", "on-games-title", "Your games")),
    titledSection("results", "Results against bots", results),
    titledSection("finished", "Finished games", games)));
  const finished = await fetchOwnGames(loadTables());
  games.replaceChildren(finishedList(finished));
  try {
    results.replaceChildren(...await resultParts(finished.map(({ outcome }) => outcome).filter(Boolean)));
  } catch (error) {
    results.replaceChildren();
    showToast(`The results cannot be loaded: ${error.message}. Reload the page to try again.`);
  }
}

function finishedList(games) {
  if (!games.length) return element("p", "on-empty", "You have not finished a game at your tables yet. This browser remembers your seats, and the server keeps your games.");
  return element("ul", "on-table-list", ...games.map(finishedItem));
}

function finishedItem({ title, result, players, age, replay }) {
  const words = { title, names: result, facts: [players, age].filter(Boolean).join(" · ") };
  return linkItem(words, element("span", "on-verb", "Replay"), { href: replay, target: "_blank", rel: "noopener" });
}

function resultRow(cells) {
  const [[title, ...facts], note] = [cells.slice(0, -1), cells.at(-1)];
  const game = element("td", "", title, note && element("small", "on-result-note", note));
  return element("tr", "", game, ...facts.map((text) => element("td", "", text)));
}

async function resultParts(outcomes) {
  if (!outcomes.length) return [element("p", "on-empty", "You have not finished a game alone against bots yet.")];
  const answer = await postJson("/results", { outcomes: outcomes.slice(0, MOST_OUTCOMES) });
  if (!answer.ok) throw new Error(`the server answered with status ${answer.status}`);
  const { heads, rows } = await answer.json();
  // The last column has notes on few rows, which stand below the title of the game.
  const head = element("tr", "", ...heads.slice(0, -1).map((text) => withAttributes(element("th", "", capitalized(text)), { scope: "col" })));
  const body = rows.map(resultRow);
  const table = element("table", "on-results", element("thead", "", head), element("tbody", "", ...body));
  return [
    withAttributes(element("div", "on-results-scroll", table), { tabindex: 0, role: "group", "aria-label": "Results against bots" }),
    element("p", "on-help", "From 10 games on, the games won are a share with its 95 % interval in brackets. A draw counts as half a game. Games with hints or undo have rows of their own."),
  ];
}
