// Drawings on cards, made of lists of tags and attributes: only those of this list are drawn.

import { withAttributes } from "./elements.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const PAINT = "fill fill-rule opacity stroke stroke-linecap stroke-linejoin stroke-width transform";
// The elements of drawings with their attributes, as in cards/svg_rules.py.
const ART_ATTRIBUTES = {
  svg: `viewBox ${PAINT}`,
  g: PAINT,
  path: `d ${PAINT}`,
  circle: `cx cy r ${PAINT}`,
  ellipse: `cx cy rx ry ${PAINT}`,
  rect: `x y width height rx ry ${PAINT}`,
  line: `x1 y1 x2 y2 ${PAINT}`,
  polyline: `points ${PAINT}`,
  polygon: `points ${PAINT}`,
};
const ART_VALUE = /^[\w#.,+\- ]*$|^var\(--ch-[a-z]+\)$|^(?:[a-zA-Z]+\([-\d., ]*\)[ ,]*)+$/;
// The value of a transformation names functions of numbers, never `url`.
const ART_REFUSED = /url/i;

// Drawings by the lists that they are made of: a card gets a copy, which costs little.
const DRAWN = new WeakMap();

/**
 * Return the drawings of a face or a back, the lowest first, or null if it has none.
 * @param {{art?: string[]}} side
 * @param {object} catalogue
 * @returns {SVGElement[]|null}
 */
export function artOf({ art = [] }, catalogue) {
  const drawn = art.map((name) => drawingOf(catalogue.art?.[name])).filter(Boolean);
  return drawn.length ? drawn : null;
}

function drawingOf(shape) {
  if (!shape) return null;
  if (!DRAWN.has(shape)) DRAWN.set(shape, shapeElement(shape, true));
  return DRAWN.get(shape)?.cloneNode(true);
}

function shapeElement([tag, attributes, shapes = []], isWhole = false) {
  const isKnown = Object.hasOwn(ART_ATTRIBUTES, tag) && (tag === "svg") === isWhole;
  if (!isKnown) return null;
  const known = ART_ATTRIBUTES[tag].split(" ");
  const allowed = Object.entries(attributes).filter(
    ([name, value]) => known.includes(name) && ART_VALUE.test(value) && !ART_REFUSED.test(value),
  );
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  withAttributes(made, Object.fromEntries(allowed));
  made.append(...shapes.map((shape) => shapeElement(shape)).filter(Boolean));
  return made;
}
