/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

/** `#rrggbb` or `#rgb`; null: it is neither. */
export function parseColor(text: string): Rgb | null {
  const [, short] = /^#([\da-f]{3})$/i.exec(text) ?? [];
  const digits = short === undefined ? text.slice(1) : [...short].map((one) => one + one).join("");
  if (!text.startsWith("#") || !/^[\da-f]{6}$/i.test(digits)) return null;
  const at = (index: number): number => Number.parseInt(digits.slice(index, index + 2), 16);
  return [at(0), at(2), at(4)];
}

export function toHex(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** As WCAG 2 counts it: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
