/** Unix seconds of what a field for date and time holds, in the reader's time zone; undefined when it is empty. */
export function readLocalTime(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
}

/** What such a field holds for Unix seconds. */
export function writeLocalTime(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
