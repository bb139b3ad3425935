// The list of tables: the listed ones, with the tables at which this browser has a seat first.

import { element, withAttributes } from "../../table/elements.js";
import { initialOf } from "../parts/widgets.js";

const STAGES = { open: "waiting for players", playing: "playing", over: "game over" };

/**
 * Return the tables as a list of links.
 * @param {object[]} tables the tables of the lobby
 * @param {string[]} ownTables ids of the tables at which this browser has a seat
 * @returns {HTMLElement}
 */
export function tableList(tables, ownTables) {
  if (!tables.length) {
    return element("p", "on-empty", "There are no listed tables at the moment. You can open an unlisted table by its link.");
  }
  const rank = ({ table, stage, free }) => (ownTables.includes(table) ? 0 : stage === "open" && free ? 1 : 2);
  const items = [...tables].sort((first, second) => rank(first) - rank(second)).map((table) => tableItem(table, ownTables));
  return element("ul", "on-table-list", ...items);
}

function tableItem({ table, title, stage, names, free }, ownTables) {
  const verb = ownTables.includes(table) ? "Your seat" : stage === "open" && free ? "Join" : "Watch";
  const people = names.length ? names.join(", ") : "no players yet";
  const seats = free ? `${free} free ${free === 1 ? "seat" : "seats"}` : "full";
  const facts = [STAGES[stage] ?? stage, ...(stage === "open" ? [seats] : [])].join(" · ");
  const link = withAttributes(
    element("a", "on-table-link",
      element("span", "on-initials", ...names.slice(0, 4).map(initialOf)),
      element("span", "on-table-words",
        element("strong", "", title), element("span", "on-table-names", people), element("span", "on-table-facts", facts)),
      element("span", `on-verb ${verb === "Watch" ? "" : "is-near"}`, verb),
    ),
    { href: `/t/${encodeURIComponent(table)}` },
  );
  return element("li", "", link);
}
