// Dialogs: one title, contents and buttons; Escape and a click beside one close it.

import { element, withAttributes } from "../../table/elements.js";
import { pushButton } from "./widgets.js";

let made = 0;

/**
 * Open a dialog over the page; the focus returns to where it was when it closes.
 * @param {{title: string, content: Node[], buttons?: {text: string, tone?: string, act?: () => void}[],
 *   classes?: string, closed?: () => void}} parts without buttons there is one to close it
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, content, buttons = [{ text: "Close" }], classes = "", closed }) {
  made += 1;
  const id = `dialog-${made}`;
  const heading = withAttributes(element("h2", "on-dialog-title", title), { id });
  const row = element("div", "on-dialog-buttons");
  const body = withAttributes(element("div", "on-dialog-body", ...content), { tabindex: 0 });
  const dialog = withAttributes(
    element("dialog", `on-dialog ch-colours ${classes}`, heading, body, row),
    { "aria-labelledby": id },
  );
  for (const { text, tone = "plain", act } of buttons) {
    row.append(pushButton(text, tone, () => {
      dialog.close();
      act?.();
    }));
  }
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask whether to go on with an action that cannot be taken back.
 * @param {{title: string, text: string, yes: string, no?: string}} question
 * @returns {Promise<boolean>}
 */
export function askToConfirm({ title, text, yes, no = "Cancel" }) {
  return new Promise((resolve) => {
    openDialog({
      title,
      content: [element("p", "", text)],
      classes: "is-question",
      buttons: [
        { text: no },
        { text: yes, tone: "costly", act: () => resolve(true) },
      ],
      // The event comes after the button's action.
      closed: () => resolve(false),
    });
  });
}
