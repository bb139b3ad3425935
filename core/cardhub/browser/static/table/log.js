// The log: its lines, the new ones marked, and the summaries of rounds as tables.

import { element, withAttributes } from "./elements.js";

/**
 * The log of a table; lines that are already shown are kept.
 */
export class LogPanel {
  /** @param {object} words */
  constructor(words) {
    this.list = withAttributes(element("ol", "ch-log-lines"), { tabindex: 0, "aria-label": words.log });
    this.element = withAttributes(
      element("section", "ch-log", element("h3", "ch-heading", words.log), this.list),
      { "aria-label": words.log },
    );
    this.keys = [];
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
    lines.slice(same).forEach((line) => this.list.append(logLine(line)));
    lines.forEach((line, n) => {
      this.list.children[n].classList.toggle("is-new", Boolean(line.is_new));
    });
    this.keys = keys;
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/**
 * Return the summary of a round as a table; its first row is the heading.
 * @param {{title: string, rows: string[][]}} summary
 * @returns {HTMLElement}
 */
export function summaryTable({ title, rows }) {
  // A cell without text heads no column.
  const cells = (row, tag) => row.map((text) => element(text ? tag : "td", "", text));
  const [head, ...body] = rows;
  const made = element("table", "ch-summary", element("caption", "", title));
  if (head) {
    made.append(element("thead", "", element("tr", "", ...cells(head, body.length ? "th" : "td"))));
  }
  made.append(element("tbody", "", ...body.map((row) => element("tr", "", ...cells(row, "td")))));
  return made;
}

function logLine(line) {
  const text = element("span", "ch-log-text", line.text);
  return element("li", `ch-log-line ch-log-${line.kind}`, text, line.summary && summaryTable(line.summary));
}
