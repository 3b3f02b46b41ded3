import { startCosts, type Throughput } from "../rig/measure.ts";
import { PLAIN_MANNERS, type Manners } from "../rig/receiver.ts";
import { addWebhooks, type Service, startService, type StoreKind } from "../rig/service.ts";
import { installedCommand } from "../rig/installed.ts";
import { cpuSeconds } from "../rig/usage.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { bareLoop } from "./ceilings.ts";
import { batched } from "./store-rates.ts";

export interface HttpsRow extends Pick<Throughput, "cpu" | "written"> {
  name: string;
  /** New ones per delivery. */
  connections: number;
  /** Part of the new ones that resumed a TLS session. */
  resumed: number;
  /** CPU seconds per 100,000 requests of undici's loop to the same receivers; null: not measured. */
  bareLoop: number | null;
}

const WEBHOOKS = 100;
const BURST_EVENTS = 1000;
const BURST_EVERY_MS = 5000;
/** What many servers and load balancers keep. */
const ANNOUNCED_SECONDS = 65;

/**
 * The same receivers with http and https in turn: kept connections, bursts with pauses, and a handshake each. Once for
 * each number of sender threads.
 */
export async function https(world: World, kind: StoreKind, sizes: Sizes): Promise<HttpsRow[]> {
  const rows: HttpsRow[] = [];
  for (const threads of sizes.senderThreads) {
    for (const row of await withThreads(world, kind, sizes, threads)) {
      rows.push({ ...row, name: nameOf(row.name, threads) });
    }
  }
  return rows;
}

function nameOf(name: string, threads: number): string {
  if (threads === 0) return name;
  return `${threads} sender ${threads === 1 ? "thread" : "threads"}, ${name}`;
}

async function withThreads(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
  threads: number,
): Promise<HttpsRow[]> {
  const service = await startService(kind, world.postgres, {
    command: installedCommand(),
    nodeArguments: [],
    environment: {
      NODE_EXTRA_CA_CERTS: world.authority.file,
      MARKETHOOK_SENDER_THREADS: String(threads),
    },
  });
  const rows: HttpsRow[] = [];
  try {
    const { port, httpsPort, addresses } = world;
    const place = { count: WEBHOOKS, addresses };
    const plain = await addWebhooks(service, { ...place, name: "http", port });
    const scheme = "https";
    const secure = await addWebhooks(service, { ...place, name: "https", port: httpsPort, scheme });
    const { events, delaysMs, bursts, handshakes } = sizes.https;
    await batched(world, service, plain, sizes.warmUpEvents);
    while (rows.filter(({ name }) => name === "http kept").length < sizes.repeats) {
      const flood = async (resources: string[], many: number): Promise<void> => {
        await batched(world, service, resources, many);
      };
      const once = async (name: string, manners: Partial<Manners>, many: number): Promise<void> => {
        await world.receiver.call("behave", { ...PLAIN_MANNERS, ...manners });
        await flood(secure, Math.ceil(many / 2));
        const row = await costOf(world, service, name, many, () => flood(secure, many));
        rows.push({ ...row, bareLoop: await bareCost(world, many) });
      };
      await flood(plain, Math.ceil(events / 2));
      rows.push(await costOf(world, service, "http kept", events, () => flood(plain, events)));
      for (const delayMs of delaysMs) await once(`https kept, ${delayMs} ms`, { delayMs }, events);
      if (handshakes > 0) {
        rows.push(await inBursts(world, service, secure, bursts));
        await once("https resumed", { closes: true }, handshakes);
        await once("https fresh", { closes: true, resumes: false }, handshakes);
      }
      await world.receiver.call("behave", PLAIN_MANNERS);
    }
    return rows;
  } finally {
    await world.receiver.call("behave", PLAIN_MANNERS);
    await service.stop();
  }
}

async function inBursts(
  world: World,
  service: Service,
  resources: string[],
  bursts: number,
): Promise<HttpsRow> {
  const manners = { ...PLAIN_MANNERS, announcedSeconds: ANNOUNCED_SECONDS };
  await world.receiver.call("behave", manners);
  const burst = async (): Promise<void> => {
    await batched(world, service, resources, BURST_EVENTS);
    await new Promise((resolve) => setTimeout(resolve, BURST_EVERY_MS));
  };
  await burst();
  return await costOf(world, service, "https in bursts", bursts * BURST_EVENTS, async () => {
    for (let count = 0; count < bursts; count += 1) await burst();
  });
}

async function costOf(
  world: World,
  service: Service,
  name: string,
  events: number,
  work: () => Promise<void>,
): Promise<HttpsRow> {
  const before = await world.receiver.call("connections", undefined);
  const costs = await startCosts(world, service);
  await work();
  const { cpu, written } = await costs.of(events);
  const after = await world.receiver.call("connections", undefined);
  const opened = after.opened - before.opened;
  return {
    name,
    cpu,
    written,
    connections: opened / events,
    resumed: opened === 0 ? 0 : (after.resumed - before.resumed) / opened,
    bareLoop: null,
  };
}

async function bareCost(world: World, requests: number): Promise<number | null> {
  const before = cpuSeconds(world.bareLoop.pid);
  await bareLoop(world, requests, "https");
  const after = cpuSeconds(world.bareLoop.pid);
  return before === null || after === null ? null : ((after - before) / requests) * 100_000;
}
