// Texts in Markdown as elements, never as markup: the page must not parse HTML from a server's text.

import { element, withAttributes } from "../../table/elements.js";

const MARKED = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]+)\]\([^)]*\)/u;
// Begins each line of a drawing in characters.
const INDENT = "    ";
const ITEM = /^(\s*)(?:[-*]|\d+\.)\s+(.*)$/u;

/**
 * Return a text in Markdown as elements: headings, paragraphs, code blocks, lists, tables and marked words.
 * Links are shown as their text.
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdownElements(text) {
  return blocksOf(text).map((lines) => blockElement(lines)).filter(Boolean);
}

// Return blocks of lines. Empty lines separate blocks, and a heading is a separate block.
function blocksOf(text) {
  const blocks = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const isHeading = !isCode && /^#+\s/u.test(line);
    if ((isHeading || (!line.trim() && !isCode)) && blocks.at(-1).length) blocks.push([]);
    if (line.trim() || isCode) blocks.at(-1).push(line);
    if (isHeading) blocks.push([]);
  }
  return blocks.filter((lines) => lines.length);
}

function blockElement(lines) {
  const [first] = lines;
  const heading = /^(#+)\s+(.*)$/u.exec(first);
  // The title of the dialog is an `h2`, so headings of the text start at `h3`.
  if (heading) return element(heading[1].length < 3 ? "h3" : "h4", "", ...marked(heading[2]));
  if (first.startsWith("```")) return codeElement(lines);
  if (lines.every((line) => line.startsWith(INDENT))) return element("pre", "", lines.map((line) => line.slice(INDENT.length)).join("\n"));
  if (first.startsWith("|")) return tableElement(lines);
  const start = lines.findIndex((line) => ITEM.test(line));
  if (start === 0) return listElement(lines);
  if (start < 0) return element("p", "", ...marked(lines.map((line) => line.trim()).join(" ")));
  return element("div", "", blockElement(lines.slice(0, start)), listElement(lines.slice(start)));
}

// Return a block of code, below the title that may follow its language.
function codeElement(lines) {
  const title = lines[0].slice(3).trim().split(/\s+/u).slice(1).join(" ");
  const code = element("pre", "", lines.slice(1, -1).join("\n"));
  return title ? element("div", "", element("p", "", ...marked(title)), code) : code;
}

function listElement(lines) {
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const isNumbered = /^\s*\d/u.test(lines[0]);
  const list = element(isNumbered ? "ol" : "ul", "", ...items.map((item) => element("li", "", ...marked(item))));
  return withAttributes(list, { start: isNumbered ? Number.parseInt(lines[0], 10) : null });
}

function tableElement(lines) {
  const rows = lines.filter((line) => !/^[|\s:-]+$/u.test(line)).map(cellsOf);
  const [head, ...body] = rows;
  const cells = (row, tag) => row.map((cell) => element(cell ? tag : "td", "", ...marked(cell)));
  const table = element("table", "on-text-table",
    element("thead", "", element("tr", "", ...cells(head, "th"))),
    element("tbody", "", ...body.map((row) => element("tr", "", ...cells(row, "td")))),
  );
  return withAttributes(element("div", "on-scroll", table), { tabindex: 0, role: "group", "aria-label": "table" });
}

function cellsOf(line) {
  return line.replace(/^\||\|$/gu, "").split("|").map((cell) => cell.trim());
}

function marked(text) {
  const match = MARKED.exec(text);
  if (!match) return [text];
  const [whole, strong, emphasis, code, link] = match;
  const node = strong ? element("strong", "", ...marked(strong))
    : emphasis ? element("em", "", ...marked(emphasis)) : code ? element("code", "", code) : link;
  return [text.slice(0, match.index), node, ...marked(text.slice(match.index + whole.length))];
}
