// Drawings on cards, built from lists of tags and attributes; only the listed ones are drawn.

import { withAttributes } from "./elements.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const PAINT = "fill fill-rule opacity stroke stroke-linecap stroke-linejoin stroke-width transform";
// The allowed elements of drawings with their attributes; the same list as in model/cards/svg_files.py.
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
// A transformation may name functions of numbers, but never `url`.
const ART_REFUSED = /url/i;

// Cache of drawings by their source lists; each card gets a clone, which is cheap.
const DRAWN = new WeakMap();

/**
 * Return the drawings of a face or a back, bottom layer first, or null if it has no drawings.
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
  const allowedNames = ART_ATTRIBUTES[tag].split(" ");
  const allowed = Object.entries(attributes).filter(
    ([name, value]) => allowedNames.includes(name) && ART_VALUE.test(value) && !ART_REFUSED.test(value),
  );
  const node = document.createElementNS(SVG_NAMESPACE, tag);
  withAttributes(node, Object.fromEntries(allowed));
  node.append(...shapes.map((shape) => shapeElement(shape)).filter(Boolean));
  return node;
}
