// The fragment of the address, which links into a game: `#step=41&viewer=Bob`.

/**
 * Return the step and the place of the viewer that a fragment names; null for those it does not.
 * @param {string} hash
 * @param {object[]} viewers
 * @returns {{step: number|null, viewerNumber: number|null}}
 */
export function readFragment(hash, viewers) {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  const step = /^\d{1,9}$/.test(found.get("step") ?? "") ? Number(found.get("step")) : null;
  return { step, viewerNumber: viewerCalled(found.get("viewer"), viewers) };
}

/**
 * Return the fragment of a step as a viewer saw it.
 * @param {number} step
 * @param {object} viewer
 * @returns {string}
 */
export function fragmentOf(step, viewer) {
  return `#${new URLSearchParams({ step: String(step), viewer: keyOfViewer(viewer) })}`;
}

// Seats by number: names of players may contain anything, or be `all`.
function keyOfViewer({ viewer, stops }) {
  if (viewer < 0) return "all";
  return viewer < stops[0].view.players.length ? String(viewer) : "spectator";
}

function viewerCalled(text, viewers) {
  if (text === null) return null;
  const byKey = viewers.findIndex((viewer) => keyOfViewer(viewer) === text);
  const found = byKey >= 0 ? byKey : viewers.findIndex(({ name }) => name === text);
  return found >= 0 ? found : null;
}
