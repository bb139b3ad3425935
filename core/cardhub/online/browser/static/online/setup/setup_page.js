// A table before its game: the seats, the link to the table, the settings, and the start.

import { element, withAttributes } from "../../table/elements.js";
import { patchChildren } from "../../table/patching.js";
import { saveName, loadName } from "../net/storage.js";
import { listenForCommands, setControls } from "../parts/commands.js";
import { valueOf } from "../parts/option_fields.js";
import { shareElement, tableAddress } from "../parts/share.js";
import { textField } from "../parts/widgets.js";
import { ADVANCED, chairList, isPerson } from "./chairs.js";
import { settingsElement, settingsText } from "./table_settings.js";

/**
 * The page of a table whose stage is `open`.
 */
export class SetupPage {
  /**
   * @param {import("../net/table_model.js").TableModel} model
   * @param {(type: string, fields?: object) => void} send
   */
  constructor(model, send) {
    this.model = model;
    this.send = send;
    this.isAdvanced = false;
    this.name = textField("Your name", {
      value: loadName(), maxlength: 60, autocomplete: "nickname", placeholder: "the name that others see",
    });
    this.head = element("div", "on-setup-head");
    this.joining = element("form", "on-joining", this.name);
    this.joining.append(withAttributes(element("button", "on-button is-primary", "Sit down"), { type: "submit" }));
    this.chairs = element("div", "on-chairs");
    this.settings = element("div", "on-table-settings");
    this.foot = element("div", "on-setup-foot");
    this.node = this.#build();
    this.#listen();
  }

  /** Redraw the table. */
  show() {
    const { state, seat, isOwner } = this.model;
    const free = state.seats.filter((player) => !player.name && !player.bot).length;
    patchChildren(this.head, [element("h1", "on-setup-title", state.title), element("p", "on-setup-facts", settingsText(state))]);
    this.joining.hidden = seat !== null || !free;
    patchChildren(this.chairs, [chairList(this.model, this.isAdvanced)]);
    const isOpen = this.settings.querySelector("details")?.open;
    patchChildren(this.settings, [withAttributes(settingsElement(state, isOwner), { open: isOpen })]);
    patchChildren(this.foot, this.#footParts(state, free));
    setControls(this.node);
  }

  #build() {
    const { table, state } = this.model;
    const link = shareElement({
      address: tableAddress(table), label: "Link to this table", title: state.title,
      picture: `/t/${encodeURIComponent(table)}/qr.svg`,
    });
    const invite = part("invite", "Invite", element("p", "on-help", "Send this link to your friends, or let them point a camera at the code."), link);
    const seats = part("seats", "Seats", this.joining, this.chairs);
    const body = element("div", "on-setup-body", seats, element("div", "on-setup-side", invite, this.settings));
    const back = withAttributes(element("a", "on-back", "← Lobby"), { href: "/" });
    return element("main", "on-setup", element("header", "on-setup-top", back, this.head), body, this.foot);
  }

  #footParts(state, free) {
    const people = state.seats.filter(isPerson).length;
    if (!this.model.isOwner) {
      const owner = state.owner === null ? "The owner" : state.seats[state.owner]?.name || "The owner";
      return [element("p", "on-waiting", this.model.seat === null ? "You are watching." : `${owner} starts the game.`)];
    }
    const text = free ? `${free} free ${free === 1 ? "seat gets a bot" : "seats get bots"} at the start.` : `All ${state.seats.length} seats are taken.`;
    const start = withAttributes(element("button", "on-button is-primary is-large", "Start the game"), { type: "button", "data-do": "start" });
    return [element("p", "on-waiting", people || free < state.seats.length ? text : "Sit down, or start the game and watch bots play."), start];
  }

  #listen() {
    this.joining.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#sit(null);
    });
    listenForCommands(this.node, {
      sit: ({ dataset }) => this.#sit(Number(dataset.seat)),
      stand: () => this.send("stand"),
      start: () => this.send("start"),
      reissue: ({ dataset }) => this.send("reissue", { seat: Number(dataset.seat) }),
      move: ({ dataset }) => this.send("set_up", { order: swappedOrder(this.model.state.seats.length, Number(dataset.seat)) }),
      bot: (node) => this.#setBot(node),
      seats: ({ value }) => this.send("set_up", { seats: Number(value) }),
      option: (node) => this.#setOption(node),
      has: (node) => this.send("set_up", { [node.dataset.name]: node.checked }),
      text: (node) => this.send("set_up", { [node.dataset.name]: node.value.trim() }),
    });
  }

  #sit(seat) {
    const name = this.name.control.value.trim();
    if (!name) {
      this.joining.hidden = false;
      this.name.control.focus();
      this.name.control.setCustomValidity("Type your name first.");
      this.name.control.reportValidity();
      this.name.control.addEventListener("input", () => this.name.control.setCustomValidity(""), { once: true });
      return;
    }
    saveName(name);
    this.send("sit", { name, ...(seat === null ? {} : { seat }) });
  }

  #setBot(node) {
    if (node.value === ADVANCED) {
      this.isAdvanced = true;
      node.value = node.dataset.value;
      this.show();
    } else {
      this.send("set_up", { bots: this.#botsWith(Number(node.dataset.seat), node.value) });
    }
  }

  #botsWith(seat, bot) {
    return this.model.state.seats.map((player, number) => (number === seat ? bot : player.bot ?? ""));
  }

  #setOption(node) {
    const option = this.model.state.options.find(({ name }) => name === node.dataset.option);
    if (option) this.send("set_up", { options: { [option.name]: valueOf(node, option) } });
  }
}

function part(name, title, ...content) {
  const heading = withAttributes(element("h2", "on-section-title", title), { id: `part-${name}` });
  return withAttributes(element("section", `on-part on-part-${name}`, heading, ...content), { "aria-labelledby": heading.id });
}

// Return the present seat number of each new seat, after a seat and the previous seat are swapped.
function swappedOrder(count, seat) {
  const order = Array.from({ length: count }, (_, n) => n);
  [order[seat - 1], order[seat]] = [order[seat], order[seat - 1]];
  return order;
}
