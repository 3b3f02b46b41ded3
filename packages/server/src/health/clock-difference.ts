/** NTP may move a clock by this much. */
export const CLOCK_TOLERANCE_MS = 5000;

/**
 * How far this machine's clock is off the database's, in words; null: not worth telling.
 *
 * @param now the database's time at a moment between the two of this machine
 */
export function clockDifference(
  now: number,
  [before, after]: readonly [before: number, after: number],
): string | null {
  const [behindMs, aheadMs] = [now - after, before - now];
  const offMs = Math.max(behindMs, aheadMs);
  if (offMs <= CLOCK_TOLERANCE_MS) return null;
  const how = behindMs > aheadMs ? "behind" : "ahead of";
  return `${Math.round(offMs / 1000)} s ${how} the database's clock`;
}
