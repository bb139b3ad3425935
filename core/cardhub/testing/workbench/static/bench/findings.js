// Faults of the rules, results of the checks, and what the game printed.

import { element, withAttributes } from "../table/elements.js";

/**
 * Return an element for each fault: the sentence, and the line of the game.
 * @param {{text: string, file: string, line: number}[]} faults
 * @returns {HTMLElement[]}
 */
export function faultList(faults) {
  return faults.map((fault) =>
    element("div", "be-fault", element("p", "", fault.text), fault.file && lineElement(fault)),
  );
}

/**
 * Return the parts of the panel of the checks.
 * @param {object|null} checked
 * @param {(check: string) => void} onOpen opens the position of a finding
 * @returns {HTMLElement[]}
 */
export function checkPanel(checked, onOpen) {
  if (!checked) return [];
  const heading = element("h2", "be-heading", "Checks");
  const state = element("p", `be-state is-${checked.state}`, stateText(checked));
  const findings = (checked.findings ?? []).map((finding) => findingElement(finding, onOpen));
  return [heading, state, ...faultList(checked.faults ?? []), ...findings];
}

/**
 * Return the parts of the panel with what the game printed for the last command.
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function printedPanel(text) {
  return text ? [element("h2", "be-heading", "Printed"), element("pre", "be-text", text)] : [];
}

function stateText({ state, games, findings = [] }) {
  const played = `${games} random ${games === 1 ? "game" : "games"}`;
  if (state === "running") return `Checking: ${played} so far.`;
  if (state === "passed") return `Nothing wrong was found in ${played}.`;
  if (state === "stopped") return "The checks have stopped.";
  return `${findings.length} failed in ${played}.`;
}

function findingElement({ check, promise, fault: { problem, remedy, lines }, record }, onOpen) {
  const open = record && withAttributes(element("button", "be-button", "Show this position"), { type: "button" });
  if (open) open.addEventListener("click", () => onOpen(check));
  return element(
    "details",
    "be-finding",
    element("summary", "", element("strong", "", check), `: ${problem}`),
    element("p", "be-promise", promise),
    element("p", "", remedy),
    ...lines.map(lineElement),
    open,
  );
}

function lineElement({ file, line }) {
  return element("code", "be-line", `${file}:${line}`);
}
