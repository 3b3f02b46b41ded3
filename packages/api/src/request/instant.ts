import { instant } from "@markethook/protocol";

export { instant };

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

/** A range of Unix seconds in milliseconds. */
export function millisecondsOf({ from, to }: { from?: number; to?: number }) {
  return {
    from: from === undefined ? undefined : from * 1000,
    to: to === undefined ? undefined : to * 1000,
  };
}
