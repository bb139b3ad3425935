// The list of tables: those that are listed for all, and the own ones of this browser.

import { element, withAttributes } from "../../table/elements.js";
import { initialOf } from "../parts/widgets.js";

const STAGES = { open: "waiting for players", playing: "playing", over: "game over" };

/**
 * Return the tables as a list of links.
 * @param {object[]} tables of the lobby
 * @param {string[]} own names of tables at which this browser has a seat
 * @returns {HTMLElement}
 */
export function tableList(tables, own) {
  if (!tables.length) {
    return element("p", "on-empty", "No table is listed here now. Tables that are not listed have a link that only their people know.");
  }
  const rank = ({ table, stage, free }) => (own.includes(table) ? 0 : stage === "open" && free ? 1 : 2);
  const items = [...tables].sort((one, other) => rank(one) - rank(other)).map((table) => tableItem(table, own));
  return element("ul", "on-table-list", ...items);
}

function tableItem({ table, title, stage, names, free }, own) {
  const verb = own.includes(table) ? "Your seat" : stage === "open" && free ? "Join" : "Watch";
  const people = names.length ? names.join(", ") : "nobody yet";
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
