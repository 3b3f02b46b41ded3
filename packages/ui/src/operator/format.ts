import { oneDecimal, whole } from "../words/numbers.ts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "1.4 GiB". */
export function byteSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? oneDecimal(value) : whole(value)} ${UNITS[power]}`;
}

/** "3 d 4 h", "12 min", "8 s": the two largest units at most. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  const hours = Math.floor(whole / 3600);
  if (hours < 24) return `${hours} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
