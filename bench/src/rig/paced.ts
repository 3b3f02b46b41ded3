import { connectLoad } from "./measure.ts";
import type { Service } from "./service.ts";
import type { World } from "./world.ts";

/** Milliseconds. */
export interface Percentiles {
  count: number;
  p50: number;
  p99: number;
  p999: number;
}

/** What one rate came to. */
export interface Paced {
  eventsPerSecond: number;
  /** From when the event was due to be reported, accepting included. */
  fromReport: Percentiles;
  /** From its 202, which the marketplace has after the commit; a delivery that was faster counts as 0. */
  fromAccepted: Percentiles;
  /** Deliveries that arrived within a second of the report, per second. */
  soonPerSecond: number;
}

const ARRIVAL_MS = 60_000;
const SOON_MS = 1000;

/**
 * Reports at a steady rate and says when the deliveries of `only` (all, if left out) arrived. Of `only`, what has not come
 * a second after the last report never did; it is reported one by one.
 */
export async function paced(
  world: World,
  service: Service,
  input: {
    resources: string[];
    eventsPerSecond: number;
    seconds: number;
    batch: number;
    only?: ReadonlySet<string>;
  },
): Promise<Paced> {
  const { receiver, load } = world;
  await receiver.call("reset", { keepArrivals: true });
  await connectLoad(world, service, input.resources);
  const { eventsPerSecond, seconds, batch } = input;
  const { reports, accepted, refused } = await load.call("pace", {
    eventsPerSecond,
    seconds,
    batch,
  });
  if (refused > 0) throw new Error(`${refused} events were refused`);
  const only = input.only;
  const came = await receiver.call(
    "wait",
    only === undefined
      ? { count: accepted, limitMs: ARRIVAL_MS }
      : { count: Infinity, limitMs: SOON_MS },
  );
  if (only === undefined && came.distinct !== accepted) {
    throw new Error(`${came.distinct} of ${accepted} arrived`);
  }
  const byEvent = new Map(reports.map((report) => [report.id, report]));
  const fromReport: number[] = [];
  const fromAccepted: number[] = [];
  for (const { key, at } of await receiver.call("arrivals", undefined)) {
    const [event = "", resource = ""] = key.split(" ");
    const report = byEvent.get(event);
    if (report === undefined || only?.has(resource) === false) continue;
    fromReport.push(at - report.sentAt);
    fromAccepted.push(Math.max(0, at - report.answeredAt));
  }
  const wanted = reports.filter(({ resource }) => only?.has(resource)).length;
  for (const times of [fromReport, fromAccepted])
    while (times.length < wanted) times.push(Infinity);
  return {
    eventsPerSecond,
    fromReport: percentiles(fromReport),
    fromAccepted: percentiles(fromAccepted),
    soonPerSecond: fromReport.filter((ms) => ms <= SOON_MS).length / seconds,
  };
}

export function percentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}
