import type { Names } from "./names.ts";
import type { Outside } from "./outside.ts";
import type { LabService } from "./service.ts";

/** How often what was tried, and what came of it. */
export type Counts = Record<string, number>;

export interface Lab {
  service: LabService;
  names: Names;
  outside: Outside;
  counts: Counts;
  /** What came out otherwise than it must. */
  faults: string[];
}

export interface Report {
  counts: Counts;
  faults: string[];
  trips: string[];
  /** Packets on the service's loopback. */
  loopback: number;
  /** Connections that the service began, and those that came to public addresses: none may be missing. */
  opens: number;
  accepted: number;
  /** What a deliberate visit to the tripwires showed. */
  control: { expected: number; trips: number; loopback: number; opens: number };
}

export function count(lab: Lab, what: string, by = 1): void {
  lab.counts[what] = (lab.counts[what] ?? 0) + by;
}

export function expect(lab: Lab, holds: boolean, fault: string): void {
  if (!holds && lab.faults.length < 50) lab.faults.push(fault);
}

/** Works through all of them, a few at a time. */
export async function each<T>(
  values: readonly T[],
  work: (value: T, index: number) => Promise<void>,
  atOnce = 24,
): Promise<void> {
  const rest = values.entries();
  const worker = async (): Promise<void> => {
    for (const [index, value] of rest) await work(value, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Hundreds of names lead to each tripwire, and 20 attempts in a second go to a host that never answered. */
const LIMIT_MS = 120_000;

/** Asks again until the answer is there; the service has no other way to tell from outside. */
export async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${LIMIT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
