// Patching: equal nodes stay in the document, so a browser lays out only the changes.
//
// A library such as morphdom is 18 times as long, and it sets `style` attributes, which the pages' policy blocks.

/**
 * Make a parent's children equal to these nodes; present nodes that are equal stay.
 * @param {Element} parent
 * @param {Node[]} nodes
 */
export function patchChildren(parent, nodes) {
  const present = [...parent.childNodes];
  nodes.forEach((node, number) => {
    const old = present[number];
    if (!old) parent.append(node);
    else if (!old.isEqualNode(node)) patchNode(old, node);
  });
  for (const old of present.slice(nodes.length)) old.remove();
}

function patchNode(old, node) {
  if (!isContainer(old, node)) {
    old.replaceWith(node);
    return;
  }
  copyAttributes(old, node);
  patchChildren(old, [...node.childNodes]);
}

// Never turn a card's element into another card, because animations identify cards by element.
function isContainer(old, node) {
  const isElement = old.nodeType === Node.ELEMENT_NODE && old.nodeName === node.nodeName;
  return isElement && !old.dataset?.token && !node.dataset?.token && node.firstElementChild !== null;
}

function copyAttributes(old, node) {
  for (const { name } of [...old.attributes]) {
    if (!node.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (old.getAttribute(name) === value) continue;
    // A strict policy blocks setting the attribute `style`, but not changes through the object model.
    if (name === "style") old.style.cssText = node.style.cssText;
    else old.setAttribute(name, value);
  }
}
