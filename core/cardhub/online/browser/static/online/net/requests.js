// Requests to the server outside of a table's connection.

/**
 * Post content as JSON.
 * @param {string} path
 * @param {object} content
 * @returns {Promise<Response>}
 */
export function postJson(path, content) {
  return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });
}
