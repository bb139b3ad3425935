// The link to a table: to copy, to share through the system, and as a QR code.

import { element, withAttributes } from "../../table/elements.js";
import { postJson } from "../net/requests.js";
import { showToast } from "./toasts.js";
import { icon, pushButton } from "./widgets.js";

const LOOPBACK = "This link works on this machine only. To let others join, start the server with --public and --origin.";

/**
 * Return the public address of a table, without a token of a seat.
 * @param {string} table
 * @returns {string}
 */
export function tableAddress(table) {
  return `${location.origin}/t/${encodeURIComponent(table)}`;
}

/**
 * Return a link with buttons to copy and to share it.
 * @param {{address: string, label: string, title: string, picture?: string}} link `picture` is the
 *   address of its QR code
 * @returns {HTMLElement}
 */
export function shareElement({ address, label, title, picture = "" }) {
  const field = withAttributes(element("input", "on-input on-link"), {
    type: "text", readonly: true, "aria-label": label,
  });
  field.value = address;
  field.addEventListener("focus", () => field.select());
  const copy = pushButton("Copy", "primary", () => copyText(address, field));
  copy.prepend(icon("copy"));
  const row = element("div", "on-share-row", field, copy, shareButton(address, title));
  const code = picture && withAttributes(element("img", "on-qr"), {
    src: picture, alt: `QR code: ${label}`, width: 180, height: 180,
  });
  return element("div", "on-share", code, row, isLoopback(location.hostname) && element("p", "on-help", LOOPBACK));
}

/**
 * Fetch the QR code of an address with a secret part. The request is a POST, so no requested URL contains the secret.
 * @param {string} path
 * @returns {Promise<string>} a data URL, or an empty text if the server makes no picture
 */
export async function secretPicture(path) {
  const answer = await postJson("/qr.svg", { path }).catch(() => null);
  if (!answer?.ok) return "";
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
}

function isLoopback(host) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

function shareButton(address, title) {
  if (!navigator.share) return null;
  const button = pushButton("Share", "plain", () => {
    // `share` rejects if the person closes the system's menu, which is not an error.
    navigator.share({ title, url: address }).catch(() => {});
  });
  button.prepend(icon("share"));
  return button;
}

async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    showToast("The link is copied.");
  } catch {
    // Pages without TLS must not write to the clipboard.
    field.select();
    showToast("The link is selected. Copy it with the keys or the menu of your system.");
  }
}
