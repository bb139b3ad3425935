// The fragment of the address, which links to a step of a game: `#step=41&viewer=1`.

/**
 * Return the step and the index of the viewer that a fragment names; each is null if it is missing or invalid.
 * @param {string} hash
 * @param {object[]} viewers
 * @returns {{step: number|null, viewerNumber: number|null}}
 */
export function readFragment(hash, viewers) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const step = /^\d{1,9}$/.test(fields.get("step") ?? "") ? Number(fields.get("step")) : null;
  return { step, viewerNumber: viewerNumberOf(fields.get("viewer"), viewers) };
}

/**
 * Return the fragment of a step and a viewer.
 * @param {number} step
 * @param {object} viewer
 * @returns {string}
 */
export function fragmentOf(step, viewer) {
  return `#${new URLSearchParams({ step: String(step), viewer: keyOfViewer(viewer) })}`;
}

// Seats are named by number, because a player's name may be any text, even `all`.
function keyOfViewer({ viewer, stops }) {
  if (viewer < 0) return "all";
  return viewer < stops[0].view.players.length ? String(viewer) : "spectator";
}

function viewerNumberOf(text, viewers) {
  if (text === null) return null;
  const byKey = viewers.findIndex((viewer) => keyOfViewer(viewer) === text);
  const number = byKey >= 0 ? byKey : viewers.findIndex(({ name }) => name === text);
  return number >= 0 ? number : null;
}
