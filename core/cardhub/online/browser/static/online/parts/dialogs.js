// Dialogs with a title, contents and buttons; Escape or a click outside closes them.

import { element, withAttributes } from "../../table/elements.js";
import { pushButton } from "./widgets.js";

let dialogCount = 0;

/**
 * Open a modal dialog; when it closes, the focus returns to the element that had it.
 * @param {{title: string, content: Node[], buttons?: {text: string, tone?: string, onClick?: () => void}[],
 *   classes?: string, onClose?: () => void}} parts `buttons`: by default one button that closes the dialog
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, content, buttons = [{ text: "Close" }], classes = "", onClose }) {
  dialogCount += 1;
  const id = `dialog-${dialogCount}`;
  const heading = withAttributes(element("h2", "on-dialog-title", title), { id });
  const row = element("div", "on-dialog-buttons");
  const body = withAttributes(element("div", "on-dialog-body", ...content), { tabindex: 0 });
  const dialog = withAttributes(
    element("dialog", `on-dialog ch-colours ${classes}`, heading, body, row),
    { "aria-labelledby": id },
  );
  for (const { text, tone = "plain", onClick } of buttons) {
    row.append(pushButton(text, tone, () => {
      dialog.close();
      onClick?.();
    }));
  }
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask for confirmation of an action that cannot be undone.
 * @param {{title: string, text: string, yes: string, no?: string}} question
 * @returns {Promise<boolean>} whether the person confirmed
 */
export function askToConfirm({ title, text, yes, no = "Cancel" }) {
  return new Promise((resolve) => {
    openDialog({
      title,
      content: [element("p", "", text)],
      classes: "is-question",
      buttons: [
        { text: no },
        { text: yes, tone: "costly", onClick: () => resolve(true) },
      ],
      // The event `close` comes after the button's callback, so it cannot overwrite a confirmation.
      onClose: () => resolve(false),
    });
  });
}
