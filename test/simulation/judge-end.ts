import type { Instance, World } from "./instance.ts";
import { SCHEDULE } from "./instance.ts";
import type { Ledger } from "./ledger.ts";

/** Long after the last fault: everything that was promised has come, and nothing is left behind. */
export function judgeEnd(options: {
  world: World;
  ledger: Ledger;
  instances: readonly Instance[];
  backlog: number;
  boundMs: number;
}): void {
  const { world, ledger, instances } = options;
  const { backend, oracles } = world;
  const { duplicates, allowed } = oracles.counts;
  if (duplicates > allowed) {
    const text = `${duplicates}, ${allowed} of them explained: ${oracles.lastDuplicate}`;
    oracles.violate("sent again", text);
  }
  const left = backend.countOpen();
  if (left > 0) {
    const bound = Math.round(options.boundMs / 1000);
    oracles.violate("not sent in time", `${left} of ${options.backlog} after ${bound} s`);
    return;
  }
  judgeMemory(instances, world);
  if (backend.countEvents() > ledger.byTag.size) {
    oracles.violate("stored twice", `${backend.countEvents()} of ${ledger.byTag.size} reported`);
  }
  const counts = new Map<number, number>();
  for (const { seq, eventSeq, state } of backend.ended()) {
    counts.set(eventSeq, (counts.get(eventSeq) ?? 0) + 1);
    const seen = oracles.deliveries.get(seq);
    if (state === "delivered" && seen?.accepted !== true) {
      oracles.violate("said to be delivered", `${seq}, and no receiver accepted it`);
    }
    if (state === "cancelled") oracles.violate("cancelled", `${seq}, and nobody asked for it`);
    if (state === "dead" && (seen?.failures.size ?? 0) <= SCHEDULE.length) {
      oracles.violate("given up too early", `${seq} after ${seen?.failures.size ?? 0} failures`);
    }
  }
  for (const { acknowledged, webhooks, key } of ledger.byTag.values()) {
    if (acknowledged === null) continue;
    const count = counts.get(acknowledged.seq) ?? 0;
    if (count !== webhooks.length) {
      oracles.violate("lost", `${key} ended ${count} times at ${webhooks.length} webhooks`);
    }
  }
}

function judgeMemory(instances: readonly Instance[], { oracles, shape }: World): void {
  for (const { machine, dispatcher } of instances) {
    if (dispatcher === null) {
      oracles.violate("never came back", machine.name);
      continue;
    }
    const { open, queued, unsettled, roomBytes, sockets, waiting } = dispatcher.statistics();
    const waits = Object.values(waiting).reduce((sum, count) => sum + count, 0);
    const bytes = shape.queueBytes - roomBytes;
    const left = { open, queued, unsettled, sockets, bytes, waits };
    if (Object.values(left).some((value) => value !== 0)) {
      oracles.violate("left in memory", `${machine.name}: ${JSON.stringify(left)}`);
    }
  }
}
