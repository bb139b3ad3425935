// Builders of elements from tags, classes and text. They never parse markup, because texts such as names are untrusted.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a new element.
 * @param {string} tag
 * @param {string} classes separated by blanks
 * @param {...(Node|string|null|undefined|false)} children nodes or texts; null, undefined and false are skipped
 * @returns {HTMLElement}
 */
export function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  made.append(...children.filter((child) => child instanceof Node || (child && child !== true)));
  return made;
}

/**
 * Set attributes of an element and return it; attributes whose value is null, undefined or false are skipped.
 * @template {Element} T
 * @param {T} node
 * @param {Record<string, string|number|boolean|null|undefined>} attributes
 * @returns {T}
 */
export function withAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  return node;
}

/**
 * Set custom properties of an element through the object model, because a strict policy blocks `style` attributes.
 * @template {HTMLElement} T
 * @param {T} node
 * @param {Record<string, string|number>} properties names without the leading dashes
 * @returns {T}
 */
export function withProperties(node, properties) {
  for (const [name, value] of Object.entries(properties)) {
    node.style.setProperty(`--${name}`, String(value));
  }
  return node;
}

/**
 * Return text for screen readers only.
 * @param {string} text
 * @returns {HTMLElement}
 */
export function spokenText(text) {
  return element("span", "ch-spoken", text);
}

/**
 * Return a drawing of one path in a box of 24 by 24, in the colour of the text.
 * @param {string} classes
 * @param {string} path
 * @returns {SVGElement}
 */
export function drawing(classes, path) {
  const svg = document.createElementNS(SVG, "svg");
  withAttributes(svg, { class: classes, viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(withAttributes(document.createElementNS(SVG, "path"), { d: path }));
  return svg;
}
