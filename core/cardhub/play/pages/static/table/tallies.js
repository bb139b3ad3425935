// Counters with pips, and tallies: tables with a row for each race between the seats.

import { element, withAttributes, withProperties } from "./elements.js";

// A counter with more pips than this shows its number only.
const MOST_PIPS = 12;

/**
 * Return a counter: its caption, its value, and a row of `pips` pips, the first `value` of them filled.
 * @param {{caption: string, value: number, pips?: number}} counter
 * @returns {HTMLElement}
 */
export function counterElement({ caption, value, pips = 0 }) {
  const hasPips = pips > 0 && pips <= MOST_PIPS;
  return element(
    "span",
    "ch-counter",
    element("span", "ch-name", caption),
    hasPips && pipRow(value, pips),
    element("span", "ch-value", String(value)),
  );
}

/**
 * Return a tally as a table with a row for each race and a column for each seat.
 * @param {object} tally
 * @param {object} view
 * @param {number[]} seats the seats in the order of the columns
 * @returns {HTMLElement}
 */
export function tallyElement(tally, view, seats) {
  const names = seats.map((seat) =>
    withAttributes(element("th", seat === view.to_act ? "is-to-act" : "", view.players[seat].name), {
      scope: "col",
    }),
  );
  const head = element("thead", "", element("tr", "", element("td", ""), ...names));
  const rows = tally.rows.map((row) => tallyRow(row, seats));
  return element(
    "table",
    "ch-tally",
    element("caption", "", tally.caption),
    head,
    element("tbody", "", ...rows),
  );
}

function tallyRow(row, seats) {
  const label = withAttributes(
    element("th", `ch-tally-label ch-c-${row.colour || "grey"}`, row.label),
    { scope: "row" },
  );
  return element("tr", "", label, ...seats.map((seat) => tallyCell(row, seat)));
}

function tallyCell(row, seat) {
  const count = row.counts[seat];
  const note = row.notes?.[seat] ?? "";
  const isWon = note.startsWith("won");
  const cell = element("td", `ch-race ch-c-${row.colour || "grey"}`);
  cell.classList.toggle("is-won", isWon);
  cell.classList.toggle("is-lost", note.startsWith("lost"));
  const number = element("span", "ch-value", row.goal ? `${count}/${row.goal}` : String(count));
  cell.append(number);
  if (row.goal) cell.append(raceBar(count, row.goal));
  if (note) cell.append(element("span", "ch-note", isWon ? `✓ ${note}` : note));
  return cell;
}

function raceBar(count, goal) {
  const bar = withAttributes(element("span", "ch-bar", element("span", "ch-fill")), {
    "aria-hidden": "true",
  });
  return withProperties(bar, { share: Math.min(Math.max(count, 0) / goal, 1), goal });
}

function pipRow(value, pips) {
  const all = Array.from({ length: pips }, (_, n) =>
    element("span", n < value ? "ch-pip is-full" : "ch-pip"),
  );
  return withAttributes(element("span", "ch-pips", ...all), { "aria-hidden": "true" });
}
