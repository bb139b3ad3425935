// The page of a table: what its server tells is shown by the stage of the table.

import { element } from "../table/elements.js";
import { Connection, socketAddress } from "./net/connection.js";
import { keepToken, keptToken } from "./net/storage.js";
import { TableModel } from "./net/table_model.js";
import { showToast, toastRegion } from "./parts/toasts.js";

/**
 * The page at `/t/ID`.
 */
export class TablePage {
  /**
   * @param {HTMLElement} root
   * @param {string} table
   */
  constructor(root, table) {
    this.root = root;
    this.model = new TableModel(table, (message) => this.connection.send(message));
    this.connection = new Connection(socketAddress(table), {
      greeting: () => this.model.greeting(keptToken(table)),
      receive: (message) => this.#receive(message),
      changed: () => {},
    });
  }

  start() {
    toastRegion();
    this.connection.open();
  }

  #receive(message) {
    this.model.receive(message);
    if (message.type === "welcome" && message.token) keepToken(this.model.table, message.token);
    if (message.type === "refused") showToast(message.why);
    this.root.replaceChildren(element("p", "on-loading", this.model.state?.title ?? ""));
  }
}
