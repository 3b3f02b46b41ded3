import type { TestContext } from "node:test";
import type { SendableWebhook } from "@markethook/store";
import { FairQueue, type FairQueueOptions } from "../../queue/fair-queue.ts";
import type { OpenRequest } from "../../gates/gate.ts";
import type { QueueEntry } from "../../queue/webhook-queue.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { sampleDelivery, sampleWebhook } from "./samples.ts";

export interface Sent {
  seq: number;
  no: number;
  finish(ok?: boolean | null, address?: string | null): void;
}

/** A queue whose requests are ended by the test. Every webhook has a host of its own unless told otherwise. */
export function queueBench(
  t: TestContext,
  options: Partial<FairQueueOptions> = {},
  webhookOf = (no: number): SendableWebhook | null => sampleWebhook({ no }),
) {
  const clock: FakeClock = fakeClock(t);
  const open: Sent[] = [];
  const sent: Sent[] = [];
  const loads: number[] = [];
  const state = { choked: false, drained: 0, freed: 0, known: (_no: number) => true };
  const queue: FairQueue = new FairQueue({
    cache: {
      peek: (no) => (state.known(no) ? webhookOf(no) : undefined),
      load: (no) => loads.push(no),
    },
    now: clock.now,
    concurrency: 100,
    webhookConcurrency: 8,
    hostConcurrency: 64,
    addressConcurrency: 64,
    queueBytes: 1_000_000,
    queueShare: 50,
    portion: Number.POSITIVE_INFINITY,
    gates: [],
    giveBack: () => undefined,
    choked: () => state.choked,
    dispatch(entry: QueueEntry, _webhook, request: OpenRequest) {
      const one: Sent = {
        seq: entry.delivery.seq,
        no: entry.delivery.webhookNo,
        finish(ok = true, address = null) {
          open.splice(open.indexOf(one), 1);
          queue.finish(request, ok, address);
        },
      };
      open.push(one);
      sent.push(one);
    },
    drained: () => (state.drained += 1),
    shareFreed: () => (state.freed += 1),
    ...options,
  });
  t.after(() => queue.close());
  let seq = 0;
  const push = (
    no: number,
    count: number,
    change: { suspicion?: number; instanceNo?: number; fresh?: boolean; probe?: boolean } = {},
  ): void =>
    queue.push(
      Array.from({ length: count }, () => ({
        instanceNo: change.instanceNo ?? 1,
        fresh: change.fresh ?? false,
        delivery: sampleDelivery({
          seq: (seq += 1),
          webhookNo: no,
          suspicion: change.suspicion ?? 0,
          probe: change.probe ?? false,
        }),
      })),
    );
  const openOf = (no: number): Sent[] => open.filter((one) => one.no === no);
  /** Ends all open requests well, and those that follow, until nothing moves. */
  const drain = (): void => {
    while (open.length > 0) open[0]?.finish();
  };
  return { queue, clock, open, sent, loads, state, push, openOf, drain };
}
