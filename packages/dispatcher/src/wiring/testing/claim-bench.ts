import type { TestContext } from "node:test";
import type { ClaimOutcome, ClaimRequest } from "@markethook/store";
import { ClaimLoop } from "../../lease/claim-loop.ts";
import { fakeClock } from "./fake-clock.ts";
import { createRecorder } from "./recorder.ts";
import { sampleDelivery } from "./samples.ts";

export const EMPTY: ClaimOutcome = { deliveries: [], cursor: 0, visited: 0, blocked: [] };
export const POLL = 250;
export const ROOM = 10 * 1024 * 1024;

/** A store that finds nothing unless told otherwise. */
export function claimBench(t: TestContext) {
  const clock = fakeClock(t);
  const requests: ClaimRequest[] = [];
  const taken: (readonly number[] | null)[] = [];
  const fake = {
    instanceNo: 1 as number | null,
    room: ROOM,
    reserved: 0,
    averageBytes: 0,
    full: [] as number[],
    isAside: false,
    claim: async (_request: ClaimRequest): Promise<ClaimOutcome> => EMPTY,
  };
  const seen = createRecorder();
  const loop = new ClaimLoop({
    deliveries: {
      claim(request) {
        requests.push(request);
        return fake.claim(request);
      },
    },
    leases: {
      take: () => fake.instanceNo,
      took: (_instanceNo, deliveries) => taken.push(deliveries?.map(({ seq }) => seq) ?? null),
    },
    room: { free: () => fake.room, reserve: (bytes) => void (fake.reserved += bytes) },
    queue: fake,
    settings: { queueShare: 200, pollMs: POLL },
    outage: fake,
    now: clock.now,
    observer: seen,
  });
  t.after(() => loop.stop());
  /** Answers these, one claim after the other, then nothing. */
  const answer = (...outcomes: Partial<ClaimOutcome>[]): void => {
    fake.claim = async () => ({ ...EMPTY, ...outcomes.shift() });
  };
  return { loop, clock, requests, taken, fake, seen, answer };
}

export function found(...seqs: number[]): Partial<ClaimOutcome> {
  return { deliveries: seqs.map((seq) => sampleDelivery({ seq })), visited: 1 };
}
