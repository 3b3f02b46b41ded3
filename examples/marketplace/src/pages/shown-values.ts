import { CURRENCY } from "../shop-data.ts";
import { html, type Html } from "../html.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const UNITS = ["bytes", "kB", "MB", "GB"];

/** Unix seconds as a day, in UTC. */
export function day(seconds: number): Html {
  const date = new Date(seconds * 1000);
  const text = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}`;
  return html`<time datetime="${date.toISOString()}">${text}</time>`;
}

export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}

export function money(amount: string): string {
  return `${amount} ${CURRENCY}`;
}
