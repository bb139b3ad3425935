"use strict";
// Unfolds parts and sorts tables. Without it the whole page can be read all the same.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function unfoldAround(element) {
    for (let part = element; part; part = part.parentElement) {
      if (part instanceof HTMLDetailsElement) part.open = true;
    }
  }

  function showTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    unfoldAround(target);
    target.scrollIntoView();
  }

  // Printed pages have no folds: all parts are open then, and as before afterwards.
  function unfoldForPrint() {
    const folded = all("details:not([open])");
    addEventListener("beforeprint", () => {
      folded.splice(0, folded.length, ...all("details:not([open])"));
      for (const part of folded) part.open = true;
    });
    addEventListener("afterprint", () => {
      for (const part of folded) part.open = false;
    });
  }

  function addUnfoldButton() {
    const button = document.getElementById("unfold");
    const parts = all("details");
    button.addEventListener("click", () => {
      const opens = parts.some(part => !part.open);
      for (const part of parts) part.open = opens;
      button.textContent = opens ? "Fold all" : "Unfold all";
    });
  }

  // The number that a cell begins with, or its text. A dash has no value and is always last.
  function valueOf(cell) {
    const text = cell.textContent.trim();
    const number = /^[<>=▲▼◆\s]*([+−-]?[\d,]*\.?\d+)/.exec(text);
    if (number) return Number(number[1].replaceAll(",", "").replace("−", "-"));
    return text === "–" || text === "" ? null : text.toLowerCase();
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other));
  }

  function sortBy(table, column, isDown) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map(row => [valueOf(row.cells[column]), row]);
    rows.sort(([one], [other]) => {
      if (one === null || other === null) return (one === null) - (other === null);
      return isDown ? compare(other, one) : compare(one, other);
    });
    body.append(...rows.map(([, row]) => row));
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.title = "Sort by this column";
      // A head that is a link stays one: its button stands beside it.
      if (head.querySelector("a")) button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
      else button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        // Numbers are first sorted from the greatest one, words from A.
        const isDown = was ? was === "ascending" : head.classList.contains("n");
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        sortBy(table, column, isDown);
      });
    });
  }

  document.documentElement.classList.add("has-script");
  for (const table of all("table.sortable")) {
    if (table.tBodies[0].rows.length > 1) makeSortable(table);
  }
  addUnfoldButton();
  unfoldForPrint();
  addEventListener("hashchange", showTarget);
  if (location.hash) showTarget();
})();
