// The result of a game: places, scores, and the points of each column by cause.

import { capitalized } from "./actions.js";
import { element, withAttributes } from "./elements.js";
import { faceChip } from "./mentions.js";

/**
 * Return the result as a panel. It has no name, because a page may show it twice.
 * @param {object} result as in `ResultView`
 * @param {object} catalogue
 * @returns {HTMLElement}
 */
export function resultPanel(result, catalogue) {
  const panel = element("section", "ch-result");
  panel.append(element("h3", "ch-sentence", capitalized(result.sentence)));
  panel.append(standing(result.columns));
  for (const section of result.sections ?? []) panel.append(breakdown(section, result.columns));
  for (const hand of result.hands ?? []) panel.append(finalHand(hand, catalogue));
  return panel;
}

function standing(columns) {
  const items = columns.map((column) =>
    element(
      "li",
      column.place === 1 ? "is-first" : "",
      element("span", "ch-place", column.place ? `${column.place}.` : ""),
      element("span", "ch-player", column.name),
      column.bot && element("span", "ch-bot", column.bot),
      element("span", "ch-value", column.score ?? ""),
    ),
  );
  return element("ol", "ch-standing", ...items);
}

function breakdown({ title, rows, subtotals = [] }, columns) {
  const names = columns.map(({ name }) => withAttributes(element("th", "", name), { scope: "col" }));
  const table = element("table", "ch-breakdown");
  if (title) table.append(element("caption", "", title));
  table.append(element("thead", "", element("tr", "", element("td", ""), ...names)));
  table.append(element("tbody", "", ...rows.map(causeRow)));
  if (subtotals.length) table.append(element("tfoot", "", ...subtotals.map(causeRow)));
  return table;
}

function causeRow({ label, cells, colour }) {
  const name = element("th", colour ? `ch-cause ch-c-${colour}` : "ch-cause", label);
  return element("tr", "", withAttributes(name, { scope: "row" }), ...cells.map(causeCell));
}

function causeCell({ points, note }) {
  return element("td", "", element("span", "ch-value", points), note && element("small", "", note));
}

function finalHand({ name, zone, faces }, catalogue) {
  const cards = faces.map((face) => element("li", "", faceChip(face, catalogue)));
  const list = element("ul", "ch-cards", ...cards);
  return element("div", "ch-final-hand", element("span", "ch-name", `${name} · ${zone}`), list);
}
