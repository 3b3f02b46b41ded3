import { startChild } from "../rig/calls.ts";
import { clock } from "../rig/clock.ts";
import type { HostileCalls } from "../rig/hostile.ts";
import { watchMemory, type MemoryCourse } from "../rig/memory.ts";
import { connectLoad } from "../rig/measure.ts";
import { percentiles, type Percentiles } from "../rig/paced.ts";
import { addHostile, addWebhooks, type Service, startService } from "../rig/service.ts";
import { cpuSeconds } from "../rig/usage.ts";
import type { World } from "../rig/world.ts";

export interface SoakInput {
  minutes: number;
  webhooks: number;
  eventsPerSecond: number;
}

export interface Soak {
  hostile: number;
  kinds: number;
  /** Of healthy webhooks, from the 202 to the arrival; ms. */
  baseline: Percentiles;
  withHostile: Percentiles;
  /** Of healthy webhooks. */
  missing: number;
  /** Events that the service did not take, which it may when the machine is too busy. */
  refused: number;
  /** Of the service: before the hostile ones, and with them. */
  memoryAlone: MemoryCourse;
  memory: MemoryCourse;
  /** Share of one core, alone and with the hostile ones; those themselves. */
  cpu: { alone: number; service: number; hostile: number };
}

const HOSTILE_PART = 0.3;
/** Attempts last 15 s at most: for so long what hangs piles up. */
const SETTLE_SECONDS = 16;
const BASELINE_PART = 0.3;

/** The same events for the healthy webhooks twice, the second time with the hostile ones' next to them. */
export async function soak(world: World, input: SoakInput): Promise<Soak> {
  const service = await startService("sqlite", world.postgres);
  const enemy = startChild<HostileCalls>("./hostile.ts");
  try {
    const places = await enemy.call("listen", undefined);
    const hostile = Math.round(input.webhooks * HOSTILE_PART);
    const healthy = await addWebhooks(service, {
      name: "healthy",
      count: input.webhooks - hostile,
      port: world.port,
      addresses: world.addresses,
    });
    const hostiles = await addHostile(service, { count: hostile, places });
    const part = healthy.length / input.webhooks;
    const seconds = input.minutes * 60;
    const run = (resources: string[], rate: number, share: number, time: number) =>
      pace(world, service, { resources, rate, share, seconds: time });

    await run(healthy, input.eventsPerSecond * part, 1, 5);
    const alone = watchUse(service.pid, enemy.pid);
    const before = await run(healthy, input.eventsPerSecond * part, 1, seconds * BASELINE_PART);
    const aloneUse = alone.stop();
    // Mixed, or the hostile ones would all come at once.
    const all = mix(healthy, hostiles);
    await run(all, input.eventsPerSecond, part, SETTLE_SECONDS);
    const mixed = watchUse(service.pid, enemy.pid);
    const during = await run(all, input.eventsPerSecond, part, seconds * (1 - BASELINE_PART));
    const mixedUse = mixed.stop();
    return {
      hostile,
      kinds: places.length,
      baseline: before.times,
      withHostile: during.times,
      missing: before.missing + during.missing,
      refused: before.refused + during.refused,
      memoryAlone: aloneUse.memory,
      memory: mixedUse.memory,
      cpu: { alone: aloneUse.service, service: mixedUse.service, hostile: mixedUse.hostile },
    };
  } finally {
    await enemy.stop();
    await service.stop();
  }
}

function watchUse(pid: number, hostilePid: number) {
  const memory = watchMemory(pid);
  const startedAt = clock();
  const [own, hostile] = [cpuSeconds(pid) ?? 0, cpuSeconds(hostilePid) ?? 0];
  return {
    stop() {
      const seconds = (clock() - startedAt) / 1000;
      return {
        memory: memory.stop(),
        service: ((cpuSeconds(pid) ?? 0) - own) / seconds,
        hostile: ((cpuSeconds(hostilePid) ?? 0) - hostile) / seconds,
      };
    },
  };
}

async function pace(
  world: World,
  service: Service,
  input: { resources: string[]; rate: number; share: number; seconds: number },
): Promise<{ times: Percentiles; missing: number; refused: number }> {
  const { receiver, load } = world;
  await receiver.call("reset", { keepArrivals: true });
  await connectLoad(world, service, input.resources);
  const { rate: eventsPerSecond, seconds } = input;
  const { reports, accepted, refused } = await load.call("pace", {
    eventsPerSecond,
    seconds,
    batch: 1,
  });
  // In turn, so that a round more or less of the healthy ones is all that is not known.
  const expected = Math.floor(accepted * input.share) - 10;
  const came = await receiver.call("wait", { count: expected, limitMs: 30_000 });
  const byEvent = new Map(reports.map((report) => [report.id, report.answeredAt]));
  const times: number[] = [];
  for (const { key, at } of await receiver.call("arrivals", undefined)) {
    const answeredAt = byEvent.get(key.split(" ")[0] ?? "");
    if (answeredAt !== undefined) times.push(Math.max(0, at - answeredAt));
  }
  return { times: percentiles(times), missing: Math.max(0, expected - came.distinct), refused };
}

/** Spread evenly: after so many of one kind comes one of the other. */
function mix(healthy: string[], hostile: string[]): string[] {
  const all = [...healthy.entries()].map(([at, id]) => ({ id, place: at / healthy.length }));
  const others = [...hostile.entries()].map(([at, id]) => ({ id, place: at / hostile.length }));
  return [...all, ...others].toSorted((a, b) => a.place - b.place).map(({ id }) => id);
}
