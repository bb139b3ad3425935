// The data of the page: compressed text that contains equal parts of views once.

const SHARED_PARTS = ["players", "counters", "tallies"];

/**
 * Return the data of a packed text; each view is assembled when it is read.
 * @param {string} packed base64 of zlib-compressed JSON
 * @returns {Promise<object>}
 */
export async function unpackData(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = await new Response(stream).json();
  for (const viewer of data.viewers) {
    viewer.stops = viewer.stops.flatMap((stop) => unpackedStops(stop, data.parts));
  }
  return data;
}

// The beats of a step are stops before the table after the step, without a next action.
function unpackedStops([step, view, coming, spots, beats], parts) {
  const next = coming ? { text: coming, spots } : null;
  return [
    ...beats.map((beat) => unpackedStop(step, beat, null, true, parts)),
    unpackedStop(step, view, next, false, parts),
  ];
}

function unpackedStop(step, [base, areas, shared], coming, isBeat, parts) {
  return {
    step,
    coming,
    isBeat,
    get view() {
      const named = SHARED_PARTS.map((name, number) => [name, parts[shared[number]]]);
      const drawn = areas.map((number) => parts[number]);
      return { ...parts[base], ...Object.fromEntries(named), areas: drawn, revision: step, is_beat: isBeat };
    },
  };
}
