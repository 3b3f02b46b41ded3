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

/** A service with its webhooks, and which rows are measured on it. */
interface Contestant {
  /** Stands before the names of its rows. */
  prefix: string;
  service: Service;
  plain: string[];
  secure: string[];
  /** Measures only handshakes that resume a session. */
  resumedOnly: boolean;
}

/**
 * The same receivers with http and https in turn: kept connections, bursts with pauses, and a handshake each. Once for
 * each number of sender threads, and resumed handshakes with other curves; all take turns in each round.
 */
export async function https(world: World, kind: StoreKind, sizes: Sizes): Promise<HttpsRow[]> {
  const contestants: Contestant[] = [];
  const rows: HttpsRow[] = [];
  try {
    for (const threads of sizes.senderThreads) {
      const prefix =
        threads === 0 ? "" : `${threads} sender ${threads === 1 ? "thread" : "threads"}, `;
      const environment = { MARKETHOOK_SENDER_THREADS: String(threads) };
      contestants.push(await start(world, kind, { prefix, environment, resumedOnly: false }));
    }
    const { handshakes, curves } = sizes.https;
    if (handshakes > 0 && curves !== null) {
      const environment = { MARKETHOOK_SENDER_THREADS: "0", MARKETHOOK_TLS_CURVES: curves };
      const prefix = `${curves}, `;
      contestants.push(await start(world, kind, { prefix, environment, resumedOnly: true }));
    }
    for (const { service, plain } of contestants) {
      await batched(world, service, plain, sizes.warmUpEvents);
    }
    for (let round = 0; round < sizes.repeats; round += 1) {
      for (const contestant of contestants) {
        rows.push(...(await roundOf(world, contestant, sizes)));
      }
    }
    return rows;
  } finally {
    await world.receiver.call("behave", PLAIN_MANNERS);
    for (const { service } of contestants) await service.stop();
  }
}

async function start(
  world: World,
  kind: StoreKind,
  input: { prefix: string; environment: Record<string, string>; resumedOnly: boolean },
): Promise<Contestant> {
  const { prefix, environment, resumedOnly } = input;
  const service = await startTrusting(world, kind, environment);
  const { port, httpsPort, addresses } = world;
  const place = { count: WEBHOOKS, addresses };
  const plain = await addWebhooks(service, { ...place, name: "http", port });
  const secure = await addWebhooks(service, {
    ...place,
    name: "https",
    port: httpsPort,
    scheme: "https",
  });
  return { prefix, service, plain, secure, resumedOnly };
}

async function roundOf(world: World, contestant: Contestant, sizes: Sizes): Promise<HttpsRow[]> {
  const { prefix, service, plain, secure, resumedOnly } = contestant;
  const { events, delaysMs, bursts, handshakes } = sizes.https;
  const rows: HttpsRow[] = [];
  const flood = async (resources: string[], many: number): Promise<void> => {
    await batched(world, service, resources, many);
  };
  const measured = async (name: string, many: number, work: () => Promise<void>) => {
    const row = await costOf(world, service, `${prefix}${name}`, many, work);
    rows.push(row);
    return row;
  };
  const once = async (name: string, manners: Partial<Manners>, many: number): Promise<void> => {
    await world.receiver.call("behave", { ...PLAIN_MANNERS, ...manners });
    await flood(secure, Math.ceil(many / 2));
    const row = await measured(name, many, () => flood(secure, many));
    row.bareLoop = await bareCost(world, many);
  };
  const inBursts = async (name: string, resources: string[]): Promise<void> => {
    await world.receiver.call("behave", { ...PLAIN_MANNERS, announcedSeconds: ANNOUNCED_SECONDS });
    const burst = async (): Promise<void> => {
      await flood(resources, BURST_EVENTS);
      await new Promise((resolve) => setTimeout(resolve, BURST_EVERY_MS));
    };
    await burst();
    await measured(name, bursts * BURST_EVENTS, async () => {
      for (let count = 0; count < bursts; count += 1) await burst();
    });
  };
  if (!resumedOnly) {
    await world.receiver.call("behave", PLAIN_MANNERS);
    await flood(plain, Math.ceil(events / 2));
    await measured("http kept", events, () => flood(plain, events));
    for (const delayMs of delaysMs) await once(`https kept, ${delayMs} ms`, { delayMs }, events);
    if (handshakes > 0) {
      await inBursts("http in bursts", plain);
      await inBursts("https in bursts", secure);
      await once("https fresh", { closes: true, resumes: false }, handshakes);
    }
  }
  if (handshakes > 0) await once("https resumed", { closes: true }, handshakes);
  return rows;
}

/**
 * Many receivers with an origin each, which close after each answer. After a first request to each, a second and a third
 * one are measured. An origin whose session was forgotten costs a full handshake.
 */
export async function manyOrigins(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
): Promise<HttpsRow[]> {
  const { origins } = sizes.https;
  const service = await startTrusting(world, kind, {});
  const ports: number[] = [];
  try {
    while (ports.length * world.addresses < origins) ports.push(await world.listenSecurely());
    const place = {
      count: origins,
      addresses: world.addresses,
      port: ports,
      scheme: "https" as const,
    };
    const resources = await addWebhooks(service, { ...place, name: "origin" });
    await world.receiver.call("behave", { ...PLAIN_MANNERS, closes: true });
    await batched(world, service, resources, origins);
    const name = `https to ${origins} origins`;
    return [
      await costOf(world, service, name, 2 * origins, async () => {
        await batched(world, service, resources, 2 * origins);
      }),
    ];
  } finally {
    await world.receiver.call("behave", PLAIN_MANNERS);
    await world.receiver.call("stopListening", { ports });
    await service.stop();
  }
}

/** A service that knows the receivers' certificate authority. */
async function startTrusting(
  world: World,
  kind: StoreKind,
  environment: Record<string, string>,
): Promise<Service> {
  return await startService(kind, world.postgres, {
    command: installedCommand(),
    nodeArguments: [],
    environment: { NODE_EXTRA_CA_CERTS: world.authority.file, ...environment },
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
