// The browser's storage: the name, the server's key, tokens of seats by table, and settings of this device.

const PREFIX = "cardhub.";
// When there are more tokens than this, the oldest are dropped.
const MOST_TOKENS = 200;
const DEFAULT_SETTINGS = { animate: true, colours: "system", sound: false };

/**
 * Return the last used name, or an empty text.
 * @returns {string}
 */
export function loadName() {
  return read("name", "");
}

/**
 * Save the name for other tables.
 * @param {string} name
 */
export function saveName(name) {
  write("name", name);
}

/**
 * Return the saved key of this server, which making tables may require, or an empty text.
 * @returns {string}
 */
export function loadKey() {
  return read("key", "");
}

/**
 * Save the key of this server.
 * @param {string} key
 */
export function saveKey(key) {
  write("key", key);
}

/**
 * Return the token of this browser's seat at a table, or an empty text.
 * @param {string} table
 * @returns {string}
 */
export function loadToken(table) {
  return read("tokens", []).find((entry) => entry.table === table)?.token ?? "";
}

/**
 * Save the token of a table, or delete it if `token` is empty.
 * @param {string} table
 * @param {string} token
 */
export function saveToken(table, token) {
  const others = read("tokens", []).filter((entry) => entry.table !== table);
  write("tokens", token ? [...others, { table, token }].slice(-MOST_TOKENS) : others);
}

/**
 * Return the ids of the tables at which this browser has a seat, latest first.
 * @returns {string[]}
 */
export function loadTables() {
  return read("tokens", []).map((entry) => entry.table).reverse();
}

/**
 * Return the names of the games that were played in this browser.
 * @returns {string[]}
 */
export function loadPlayed() {
  return read("played", []);
}

/**
 * Save that a game was played in this browser.
 * @param {string} game
 */
export function savePlayed(game) {
  const played = loadPlayed();
  if (!played.includes(game)) write("played", [...played, game]);
}

/**
 * Return the token in the address of the page (`#seat=TOKEN`), or an empty text.
 * @returns {string}
 */
export function tokenOfAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("seat") ?? "";
}

/** Remove the token from the address, so that the history and a copied address do not contain it. */
export function clearAddress() {
  if (location.hash) history.replaceState(null, "", location.pathname);
}

/**
 * Return the settings of this device.
 * @returns {{animate: boolean, colours: string, sound: boolean}}
 */
export function loadSettings() {
  return { ...DEFAULT_SETTINGS, ...read("settings", {}) };
}

/**
 * Change settings of this device; return all settings.
 * @param {object} changes
 * @returns {{animate: boolean, colours: string, sound: boolean}}
 */
export function changeSettings(changes) {
  const settings = { ...loadSettings(), ...changes };
  write("settings", settings);
  return settings;
}

// Fallback if the browser refuses storage: these values last until the page is closed.
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
