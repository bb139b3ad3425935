// Commands of buttons that are drawn anew: an element names its command, and one listener acts.

/**
 * Call the commands that elements name: `data-do="sit"` at a click, `data-set="bot"` at a change.
 *
 * A command gets the element, whose other data say which seat, option or choice it is about.
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
 * Set lists and switches to what the server says, except the one that the person is using.
 * @param {HTMLElement} root
 */
export function setControls(root) {
  for (const node of root.querySelectorAll("select[data-value]")) {
    if (node !== document.activeElement) node.value = node.dataset.value;
  }
  for (const node of root.querySelectorAll('input[type="checkbox"]')) node.checked = node.hasAttribute("checked");
}
