const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Our numbers stay far below 2^53. One above it, written by hand or by a fault of a disk, is read as the largest number
 * that JavaScript has exactly. So one such row makes no statement fail.
 */
export function safeNumber(value: string | bigint): number {
  const number = Number(value);
  return number > MOST ? MOST : number < -MOST ? -MOST : number;
}
