// Commands of elements that are redrawn often: elements name a command, and one listener handles all of them.

/**
 * Call the command that an element names: `data-do="sit"` on a click, `data-set="bot"` on a change.
 *
 * A command gets the element; its other data attributes name the seat, option or choice.
 * @param {HTMLElement} root
 * @param {Record<string, (node: HTMLElement) => void>} commands
 */
export function listenForCommands(root, commands) {
  root.addEventListener("click", ({ target }) => {
    const node = target.closest("[data-do]");
    if (node && !node.disabled) commands[node.dataset.do]?.(node);
  });
  root.addEventListener("change", ({ target }) => {
    const node = target.closest("[data-set]");
    if (node) commands[node.dataset.set]?.(node);
  });
}

/**
 * Set lists and switches to the server's values, except a list that has the focus.
 * @param {HTMLElement} root
 */
export function setControls(root) {
  for (const node of root.querySelectorAll("select[data-value]")) {
    if (node !== document.activeElement) node.value = node.dataset.value;
  }
  for (const node of root.querySelectorAll('input[type="checkbox"]')) node.checked = node.hasAttribute("checked");
}
