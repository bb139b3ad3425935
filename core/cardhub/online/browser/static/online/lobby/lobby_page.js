// The lobby: the games as tiles, open tables, and the name of the person.

import { element, withAttributes } from "../../table/elements.js";
import { keepName, keptName, keptTables } from "../net/storage.js";
import { showToast, toastRegion } from "../parts/toasts.js";
import { textField } from "../parts/widgets.js";
import { gameTile } from "./game_tiles.js";
import { openNewTable } from "./new_table.js";
import { tableList } from "./table_list.js";

const REFRESH_MILLISECONDS = 8_000;

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
      value: keptName(), maxlength: 60, autocomplete: "nickname", placeholder: "as others see you",
    });
    this.games = element("div", "on-tiles");
    this.tables = element("div", "on-tables");
    this.own = keptTables();
  }

  start() {
    document.title = "cardhub";
    toastRegion();
    this.#build();
    this.name.control.addEventListener("change", () => keepName(this.name.control.value.trim()));
    void this.#load();
    setInterval(() => {
      if (document.visibilityState === "visible") void this.#load();
    }, REFRESH_MILLISECONDS);
  }

  #build() {
    const words = element("div", "on-hero-words",
      element("h1", "on-brand", "cardhub"),
      element("p", "on-tagline", "Card games with friends, and with bots in the empty seats."),
      element("p", "on-hint", "Choose a game, send the link, play. On a phone, a laptop or in a terminal; without an account."),
    );
    this.main = element("main", "on-lobby",
      section("games", "Choose a game", this.games),
      section("tables", "Open tables", this.tables),
    );
    this.root.replaceChildren(
      element("header", "on-hero", element("div", "on-hero-inner", words, element("div", "on-hero-name", this.name))),
      this.main,
      element("footer", "on-foot", "Free software. Every finished game can be kept as a replay."),
    );
  }

  async #load() {
    try {
      const answer = await fetch("/lobby", { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
      this.#show(await answer.json());
      this.failed = false;
    } catch (error) {
      if (!this.failed) showToast(`The lobby cannot be loaded: ${error.message}. fix: it is tried again by itself`);
      this.failed = true;
    }
  }

  #show({ games, tables, makers }) {
    // Tiles stay as they are: only the list of tables changes while the server runs.
    if (!this.games.childElementCount) {
      this.games.append(...games.map((game) => gameTile(game, () => openNewTable(game, this.name.control, makers === "key"))));
      // Above the tiles only from the start: nothing moves away below a finger.
      if (tables.length) this.main.prepend(this.main.lastElementChild);
    }
    this.tables.replaceChildren(tableList(tables, this.own));
  }
}

function section(name, title, content) {
  const heading = withAttributes(element("h2", "on-section-title", title), { id: `section-${name}` });
  return withAttributes(element("section", `on-section on-section-${name}`, heading, content), {
    "aria-labelledby": heading.id,
  });
}
