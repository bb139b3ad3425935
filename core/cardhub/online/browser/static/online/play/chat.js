// The chat: a drawer next to the table; a dot marks unread lines.

import { element, withAttributes } from "../../table/elements.js";
import { iconButton } from "../parts/widgets.js";

const LONGEST = 300;

/**
 * The chat of a table: its drawer, and the button that opens it.
 */
export class ChatDrawer {
  #read = 0;
  #shown = 0;

  /** @param {(text: string) => boolean} send returns whether the text was sent */
  constructor(send) {
    this.send = send;
    this.opener = iconButton("chat", "Chat", () => this.toggle());
    this.dot = element("span", "on-dot");
    this.dot.hidden = true;
    this.label = this.opener.querySelector(".ch-spoken");
    this.opener.append(this.dot);
    this.lines = element("ol", "on-chat-lines");
    this.log = withAttributes(element("div", "on-chat-log", this.lines), { role: "log", "aria-label": "Chat", tabindex: 0 });
    this.field = withAttributes(element("input", "on-input"), {
      type: "text", maxlength: LONGEST, "aria-label": "Message", placeholder: "Message", autocomplete: "off", enterkeyhint: "send",
    });
    this.node = this.#build();
  }

  /** Whether the drawer is open. */
  get isOpen() {
    return !this.node.hidden;
  }

  /**
   * Show the lines of the chat.
   * @param {{seat: number|null, name: string, text: string}[]} lines
   * @param {number|null} ownSeat the person's seat, or null for a spectator
   */
  show(lines, ownSeat) {
    if (lines.length < this.#shown) {
      this.lines.replaceChildren();
      this.#shown = 0;
    }
    const later = lines.slice(this.#shown);
    this.lines.append(...later.map((line) => chatLine(line, ownSeat)));
    this.#shown = lines.length;
    if (later.length) this.log.scrollTop = this.log.scrollHeight;
    if (this.isOpen) this.#read = lines.length;
    this.#mark();
  }

  /** Open or close the drawer. */
  toggle() {
    if (this.isOpen) this.close();
    else this.#open();
  }

  /** Close the drawer; the focus returns to its button. */
  close() {
    this.node.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    this.opener.focus();
  }

  #open() {
    this.node.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.#read = this.#shown;
    this.#mark();
    this.log.scrollTop = this.log.scrollHeight;
    this.field.focus();
  }

  #mark() {
    const unread = this.#shown - this.#read;
    this.dot.hidden = unread <= 0;
    this.label.textContent = unread > 0 ? `Chat, ${unread} unread` : "Chat";
  }

  #build() {
    const sendButton = iconButton("send", "Send");
    sendButton.type = "submit";
    const form = element("form", "on-chat-form", this.field, sendButton);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && this.send(text)) this.field.value = "";
    });
    const head = element("div", "on-chat-head", element("h2", "", "Chat"), iconButton("close", "Close the chat", () => this.close()));
    const node = withAttributes(element("aside", "on-chat", head, this.log, form), { "aria-label": "Chat" });
    node.hidden = true;
    node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.opener.setAttribute("aria-expanded", "false");
    return node;
  }
}

function chatLine({ seat, name, text }, ownSeat) {
  const isOwn = ownSeat !== null && seat === ownSeat;
  const author = element("strong", "on-chat-name", seat === null ? `${name} (watching)` : name);
  return element("li", isOwn ? "on-chat-line is-own" : "on-chat-line", author, " ", element("span", "on-chat-text", text));
}
