// The log: its lines, with marks on new lines, and the summaries of rounds as tables.

import { element, withAttributes } from "./elements.js";
import { sentenceParts } from "./mentions.js";

/**
 * The log of a table; lines that are already in the document stay.
 */
export class LogPanel {
  /**
   * @param {object} words
   * @param {object} catalogue
   */
  constructor(words, catalogue) {
    this.catalogue = catalogue;
    this.list = withAttributes(element("ol", "ch-log-lines"), { tabindex: 0, "aria-label": words.log });
    this.element = withAttributes(
      element("section", "ch-log", element("h3", "ch-heading", words.log), this.list),
      { "aria-label": words.log },
    );
    this.keys = [];
    [this.isAtEnd, this.place] = [true, 0];
    this.list.addEventListener("scroll", () => this.#notePlace());
    // The last lines stay in sight when other parts take room, such as the buttons after a game.
    new ResizeObserver(() => this.isAtEnd && this.#scrollToEnd()).observe(this.list);
  }

  /**
   * Show lines, oldest first, and scroll to the end.
   * @param {object[]} lines
   */
  show(lines) {
    const keys = lines.map((line) => `${line.step} ${line.text}`);
    let same = 0;
    while (same < keys.length && keys[same] === this.keys[same]) same += 1;
    while (this.list.children.length > same) this.list.lastElementChild.remove();
    lines.slice(same).forEach((line) => this.list.append(this.#lineElement(line)));
    lines.forEach((line, n) => {
      this.list.children[n].classList.toggle("is-new", Boolean(line.is_new));
    });
    this.keys = keys;
    this.#scrollToEnd();
  }

  /**
   * Move the focus to the next card in the log, or the one before.
   * @param {Element} from the list, or a card in it
   * @param {string} key
   * @returns {boolean} whether the log handles the key
   */
  move(from, key) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return false;
    const cards = [...this.list.querySelectorAll("[data-face]")];
    const at = cards.indexOf(from);
    const next = at < 0 ? cards.at(step > 0 ? 0 : -1) : cards[at + step];
    next?.focus();
    return true;
  }

  #scrollToEnd() {
    this.list.scrollTop = this.list.scrollHeight;
    [this.isAtEnd, this.place] = [true, this.list.scrollTop];
  }

  // Only a person scrolls up; a list that has just got lower is not at its end, but stays at its place.
  #notePlace() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    if (scrollTop + clientHeight >= scrollHeight - 2) this.isAtEnd = true;
    else if (scrollTop < this.place) this.isAtEnd = false;
    this.place = scrollTop;
  }

  #lineElement(line) {
    const text = element("span", "ch-log-text", ...sentenceParts(line, this.catalogue, true));
    const summary = line.summary && summaryTable(line.summary);
    return element("li", `ch-log-line ch-log-${line.kind}`, text, summary);
  }
}

// Columns of numbers, perhaps with empty cells, are aligned on the right.
const NUMBER_CELL = /^[+\-−]?\d[\d.,]*$|^$/;

/**
 * Return the summary of a round as a table; its first row is the heading.
 * @param {{title: string, rows: string[][]}} summary
 * @returns {HTMLElement}
 */
export function summaryTable({ title, rows }) {
  const [head, ...body] = rows;
  const table = element("table", "ch-summary", element("caption", "", title));
  const areNumbers = rows[0]?.map((_, column) => body.length > 0 && body.every((row) => NUMBER_CELL.test(row[column])));
  if (head) table.append(element("thead", "", rowElement(head, areNumbers, () => (body.length ? "col" : ""))));
  table.append(element("tbody", "", ...body.map((row) => rowElement(row, areNumbers, (column) => (column ? "" : "row")))));
  return table;
}

// An empty cell is not a heading.
function rowElement(texts, areNumbers, scopeOf) {
  const cells = texts.map((text, column) => {
    const scope = text && scopeOf(column);
    const classes = areNumbers[column] ? "is-number" : "";
    return scope ? withAttributes(element("th", classes, text), { scope }) : element("td", classes, text);
  });
  return element("tr", "", ...cells);
}
