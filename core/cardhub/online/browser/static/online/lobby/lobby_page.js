// The lobby: the person's own tables, the games as tiles, the open tables, and the person's name.

import { element, withAttributes } from "../../table/elements.js";
import { saveName, loadName, loadTables } from "../net/storage.js";
import { showToast, toastRegion } from "../parts/toasts.js";
import { textField, titledSection } from "../parts/widgets.js";
import { gameTile } from "./game_tiles.js";
import { openLesson, openNewTable } from "./new_table.js";
import { fetchOwnTables } from "./own_tables.js";
import { listOf, tableList } from "./table_list.js";

const REFRESH_MILLISECONDS = 8_000;
// Own tables are asked about one by one, so not at each refresh.
const OWN_MILLISECONDS = 40_000;

/**
 * Show the lobby and keep its list of tables up to date.
 * @param {HTMLElement} root
 */
export function startLobby(root) {
  new Lobby(root).start();
}

class Lobby {
  constructor(root) {
    this.root = root;
    this.name = textField("Your name", {
      value: loadName(), maxlength: 60, autocomplete: "nickname", placeholder: "the name that others see",
    });
    this.games = element("div", "on-tiles");
    this.tables = element("div", "on-tables");
    this.own = element("div", "on-tables");
    this.ownTables = [];
    this.ownAt = -Infinity;
  }

  start() {
    document.title = "cardhub";
    toastRegion();
    this.#build();
    this.name.control.addEventListener("change", () => saveName(this.name.control.value.trim()));
    void this.#load();
    setInterval(() => {
      if (document.visibilityState === "visible") void this.#load();
    }, REFRESH_MILLISECONDS);
    document.addEventListener("visibilitychange", () => {
      this.ownAt = -Infinity; // it may be the person's turn by now
      if (document.visibilityState === "visible") void this.#load();
    });
  }

  #build() {
    const words = element("div", "on-hero-words",
      element("h1", "on-brand", "cardhub"),
      element("p", "on-tagline", "Card games with friends, and with bots in the empty seats."),
      element("p", "on-hint", "Choose a game, send the link, and play on a phone, on a laptop or in a terminal. You need no account."),
    );
    const games = withAttributes(element("a", "on-button is-plain on-games-link", "Your finished games and results"), { href: "/games" });
    this.ownSection = titledSection("own", "Your tables", element("div", "on-own", this.own, games));
    this.ownSection.hidden = true;
    this.main = element("main", "on-lobby",
      this.ownSection,
      titledSection("games", "Choose a game", this.games),
      titledSection("tables", "Open tables", this.tables),
    );
    this.root.replaceChildren(
      element("header", "on-hero", element("div", "on-hero-inner", words, element("div", "on-hero-name", this.name))),
      this.main,
      element("footer", "on-foot", "cardhub is free software. You can save each finished game as a replay."),
    );
  }

  async #load() {
    try {
      const answer = await fetch("/lobby", { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`the server answered with status ${answer.status}`);
      const state = await answer.json();
      if (performance.now() - this.ownAt >= OWN_MILLISECONDS) {
        this.ownAt = performance.now();
        this.ownTables = await fetchOwnTables(loadTables());
      }
      this.#show(state);
      this.failed = false;
    } catch (error) {
      if (!this.failed) showToast(`The lobby cannot be loaded: ${error.message}. The page tries again in a few seconds.`);
      this.failed = true;
    }
  }

  #show({ games, tables, makers }) {
    // The games of a running server never change, so the tiles are drawn once.
    if (!this.games.childElementCount) {
      const lessons = new Map(this.ownTables.filter(isOpenLesson).map(({ game, table }) => [game, table]));
      const known = games.map((game) => ({ ...game, lesson: lessons.get(game.name) ?? "" }));
      this.games.append(...known.map((game) => gameTile(game, {
        onChoose: () => openNewTable(game, this.name.control, makers === "key"),
        onLearn: ({ currentTarget }) => openLesson(game, this.name.control, makers === "key", currentTarget),
      })));
      // Tables are above the tiles only if there are any at first: later, the tiles must not move under a finger.
      if (tables.length) this.ownSection.after(this.main.lastElementChild);
      // For the same reason, own tables get their section at first or not at all.
      this.ownSection.hidden = !loadTables().length;
    }
    const own = new Set(this.ownTables.map(({ table }) => table));
    this.own.replaceChildren(listOf(this.ownTables));
    this.tables.replaceChildren(tableList(tables.filter(({ table }) => !own.has(table))));
  }
}

// A lesson that was left waits at its step.
function isOpenLesson({ is_lesson: isLesson, stage }) {
  return isLesson && stage === "playing";
}
