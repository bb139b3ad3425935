// The page of a server: the lobby at `/`, the own games at `/games`, or a table at `/t/ID`.

import { element } from "../table/elements.js";
import { startGames } from "./lobby/games_page.js";
import { startLobby } from "./lobby/lobby_page.js";
import { loadSettings } from "./net/storage.js";
import { chooseColours } from "./parts/colours.js";
import { TablePage } from "./table_page.js";

/**
 * Show the page for the address.
 * @param {Document} page
 */
export function startOnline(page) {
  const root = page.getElementById("online");
  root.classList.add("on-page", "ch-colours");
  chooseColours(loadSettings().colours);
  const table = /^\/t\/([\w-]+)\/?$/.exec(location.pathname)?.[1];
  if (location.pathname === "/games") {
    void startGames(root);
    return;
  }
  if (!table) {
    startLobby(root);
    return;
  }
  // A link to another seat of the same table changes only the fragment, so the browser would not reload.
  window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#seat=")) location.reload();
  });
  root.append(element("p", "on-loading", "Connecting …"));
  new TablePage(root, table).start();
}
