// What the browser keeps: the name, tokens of seats by table, and settings of this device.

const PREFIX = "cardhub.";
// Tokens of older tables are forgotten.
const MOST_TOKENS = 200;
const DEFAULT_SETTINGS = { animate: true, colours: "system", sound: false };

/**
 * Return the name that was used last, empty without one.
 * @returns {string}
 */
export function keptName() {
  return read("name", "");
}

/**
 * Keep the name for other tables.
 * @param {string} name
 */
export function keepName(name) {
  write("name", name);
}

/**
 * Return the key with which tables were made on this server, empty without one.
 * @returns {string}
 */
export function keptKey() {
  return read("key", "");
}

/**
 * Keep the key of this server.
 * @param {string} key
 */
export function keepKey(key) {
  write("key", key);
}

/**
 * Return the token of the own seat at a table, empty without one.
 * @param {string} table
 * @returns {string}
 */
export function keptToken(table) {
  return read("tokens", []).find((entry) => entry.table === table)?.token ?? "";
}

/**
 * Keep a token of a table, or forget it if it is empty.
 * @param {string} table
 * @param {string} token
 */
export function keepToken(table, token) {
  const others = read("tokens", []).filter((entry) => entry.table !== table);
  write("tokens", token ? [...others, { table, token }].slice(-MOST_TOKENS) : others);
}

/**
 * Return the names of tables at which this browser has a seat, the latest first.
 * @returns {string[]}
 */
export function keptTables() {
  return read("tokens", []).map((entry) => entry.table).reverse();
}

/**
 * Return the token in the address of the page, `#seat=TOKEN`, empty without one.
 * @returns {string}
 */
export function tokenOfAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("seat") ?? "";
}

/** Take the token out of the address: it is in no history, and not in an address that is copied. */
export function clearAddress() {
  if (location.hash) history.replaceState(null, "", location.pathname);
}

/**
 * Return the settings of this device.
 * @returns {{animate: boolean, colours: string, sound: boolean}}
 */
export function keptSettings() {
  return { ...DEFAULT_SETTINGS, ...read("settings", {}) };
}

/**
 * Change settings of this device; returns all of them.
 * @param {object} changes
 * @returns {{animate: boolean, colours: string, sound: boolean}}
 */
export function keepSettings(changes) {
  const settings = { ...keptSettings(), ...changes };
  write("settings", settings);
  return settings;
}

// Values of a page whose storage the browser refuses: they last as long as the page.
const unstored = new Map();

function read(key, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? (unstored.get(key) ?? otherwise) : JSON.parse(text);
  } catch {
    return unstored.get(key) ?? otherwise;
  }
}

function write(key, value) {
  unstored.set(key, value);
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window without storage: the page works until it is closed.
  }
}
