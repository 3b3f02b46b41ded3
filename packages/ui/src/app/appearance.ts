import { type darken, luminance } from "@mantine/core";

/** The marketplace's look for the owners' pages. Null: our own. */
export interface Appearance {
  /** Null: as the system says, or as the owner chooses. */
  scheme: "light" | "dark" | null;
  /** `#rrggbb` or `#rgb`. */
  accent: string | null;
  /** Of buttons and fields, in pixels. */
  radius: number | null;
  /** A list of font families, as CSS has it. */
  font: string | null;
}

export const OWN_APPEARANCE: Appearance = { scheme: null, accent: null, radius: null, font: null };

const COLOUR = /^#(?:[\da-f]{3}){1,2}$/i;
const LARGEST_RADIUS = 24;
/** Names and commas, and nothing with which a style could go on. */
const FONTS = /^[\p{L}\p{N} -]{1,60}(?:,[\p{L}\p{N} -]{1,60}){0,7}$/u;

/**
 * Reads what the link said behind its code, e.g. `scheme=dark&accent=%23b5179e&radius=4&font=Georgia,serif`. What cannot
 * be read is left out: a page in other colours is better than none.
 */
export function readAppearance(wishes: string): Appearance {
  const given = new URLSearchParams(wishes);
  const scheme = given.get("scheme");
  const accent = given.get("accent") ?? "";
  const radius = given.get("radius") ?? "";
  const font = given.get("font") ?? "";
  return {
    scheme: scheme === "light" || scheme === "dark" ? scheme : null,
    accent: COLOUR.test(accent) ? accent : null,
    radius: /^\d{1,2}$/.test(radius) ? Math.min(LARGEST_RADIUS, Number(radius)) : null,
    font: FONTS.test(font) ? font.split(",").map(quoted).join(", ") : null,
  };
}

/** The language that the link asks for; whether the pages have it is decided elsewhere. */
export function readLanguage(wishes: string): string | null {
  return new URLSearchParams(wishes).get("lang");
}

const GENERIC = new Set([
  "serif",
  "sans-serif",
  "monospace",
  "system-ui",
  "ui-sans-serif",
  "ui-serif",
]);

function quoted(name: string): string {
  const trimmed = name.trim();
  return GENERIC.has(trimmed) ? trimmed : `"${trimmed}"`;
}

/** The colour itself where it can be read on this ground, or the nearest that can, towards black or white. */
export function readableOn(color: string, ground: string, towards: typeof darken): string {
  for (let share = 0; share < 1; share += 0.04) {
    const tried = towards(color, share);
    if (contrast(tried, ground) >= READABLE) return tried;
  }
  return towards(color, 1);
}

/** WCAG asks for 4.5; the grounds differ a little. */
const READABLE = 5;

/** As WCAG 2 counts it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
