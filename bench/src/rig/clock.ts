/** Milliseconds of the machine's monotonic clock, the same in all processes of a run. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
