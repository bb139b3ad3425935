// A grid: sites in rows and columns, each with its top card and the cards below it.

import { captionOf } from "./areas.js";
import { dressCard } from "./cards.js";
import { cardName, columnLabel, faceOf, shortOfCard, siteLabel } from "./descriptions.js";
import { element, withAttributes, withProperties } from "./elements.js";
import { spotKey } from "./spots.js";

// The most cards below a site's top card that are named; if there are more, the last line counts the rest.
const MOST_BELOW = 4;

/**
 * Return a grid with the labels of its rows and columns.
 * @param {{area: object, index: number}} placed
 * @param {object} context
 * @returns {HTMLElement}
 */
export function gridElement({ area: grid, index }, context) {
  const labels = Array.from({ length: grid.columns }, (_, n) => label(columnLabel(n)));
  const list = element("div", "ch-grid", label(""), ...labels, ...rowsOf(grid, index, context));
  withProperties(list, { columns: grid.columns, rows: grid.rows });
  const caption = captionOf({ ...grid, count: countOf(grid) }, index, context, { hasCaption: false });
  return element("div", "ch-board", caption, list);
}

function rowsOf(grid, index, context) {
  const canFade = grid.stacks.some((_, site) => context.states.at(["site", site, index]).length);
  return Array.from({ length: grid.rows }, (_, row) => [
    label(String(row + 1)),
    ...grid.stacks
      .slice(row * grid.columns, (row + 1) * grid.columns)
      .map((stack, column) => {
        const site = row * grid.columns + column;
        const classes = context.states.classes(["site", site, index], canFade);
        return siteElement(grid, site, stack, { index, classes, catalogue: context.catalogue });
      }),
  ]).flat();
}

function siteElement(grid, site, stack, { index, classes, catalogue }) {
  const spot = ["site", site, index];
  const top = stack.at(-1);
  const button = withAttributes(
    element("button", `ch-spot ch-site ${classes}`),
    { type: "button", "data-spot": spotKey(spot), tabindex: -1 },
  );
  button.setAttribute("aria-label", siteName(grid, site, stack, catalogue));
  button.classList.toggle("is-bare", !top);
  if (top) button.append(topCard(top, catalogue), " ", cardsBelow(stack, catalogue));
  return button;
}

function topCard(card, catalogue) {
  const drawn = withAttributes(element("span", "ch-card ch-size-site"), {
    "data-token": card.token,
  });
  dressCard(drawn, card, catalogue);
  return drawn;
}

function cardsBelow(stack, catalogue) {
  const below = stack.slice(0, -1).reverse();
  const most = below.length > MOST_BELOW ? MOST_BELOW - 1 : MOST_BELOW;
  const chips = below.slice(0, most).map((card) => {
    const face = faceOf(card, catalogue);
    const colour = face ? face.colour : catalogue.backs[card.back].colour;
    return withAttributes(element("span", `ch-below ch-c-${colour}`, shortOfCard(card, catalogue)), {
      "data-token": card.token,
    });
  });
  if (below.length > most) chips.push(element("span", "ch-more", `+${below.length - most}`));
  return withAttributes(element("span", "ch-stack", ...chips.flatMap((chip) => [chip, " "])), { "aria-hidden": "true" });
}

function siteName(grid, site, stack, catalogue) {
  const name = siteLabel(site, grid.columns);
  if (!stack.length) return `${name}, empty`;
  const below = stack.slice(0, -1).reverse();
  const rest = below.map((card) => shortOfCard(card, catalogue)).join(" ");
  return `${cardName(stack.at(-1), catalogue, rest && `${rest} below`)}, ${name}`;
}

function label(text) {
  return withAttributes(element("span", "ch-label", text), { "aria-hidden": "true" });
}

function countOf(grid) {
  return grid.stacks.reduce((sum, stack) => sum + stack.length, 0);
}
