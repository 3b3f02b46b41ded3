/**
 * Campaigns run a sample with the other tests and their full size with `npm run test:full`, as CI does: killing
 * fifty times, a burst of ten thousand.
 */
export function size<Size>(sample: Size, full: Size): Size {
  return process.env["MARKETHOOK_TEST_FULL"] === "1" ? full : sample;
}
