// Light and dark mode: the system's choice, or a choice for this device.

const NIGHT = "(prefers-color-scheme: dark)";
const MEDIA = { system: NIGHT, light: "not all", dark: "all" };

/**
 * Set the colours of the page: `system`, `light` or `dark`.
 *
 * The rules for dark mode stay in the style sheets; this changes the media condition of these rules only.
 * @param {string} colours
 */
export function chooseColours(colours) {
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && isOfNight(rule)) rule.media.mediaText = MEDIA[colours] ?? NIGHT;
    }
  }
  document.documentElement.style.colorScheme = colours === "system" ? "light dark" : colours;
}

const nights = new WeakSet();

function isOfNight(rule) {
  if (rule.media.mediaText === NIGHT) nights.add(rule);
  return nights.has(rule);
}
