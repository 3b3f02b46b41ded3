import { startChild } from "../rig/calls.ts";
import type { FastifyCalls } from "../rig/fastify-alone.ts";
import { cpuSeconds } from "../rig/usage.ts";
import { SECRET } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import { SINGLES_IN_FLIGHT } from "./store-rates.ts";

const CONNECTIONS = 100;
const ARRIVAL_MS = 30_000;

/** Requests per second of a client that only sends, to the same receivers, which verify as ever. */
export async function bareLoop(
  world: World,
  requests: number,
  scheme: "http" | "https" = "http",
): Promise<number> {
  const { receiver, port, addresses } = world;
  await receiver.call("reset", { keepArrivals: false });
  const { startedAt, failed } = await world.bareLoop.call("run", {
    requests,
    ...(scheme === "http" ? { port } : { port: world.httpsPort, ca: world.authority.cert }),
    addresses,
    secret: SECRET,
    connections: CONNECTIONS,
  });
  const came = await receiver.call("wait", { count: requests, limitMs: ARRIVAL_MS });
  if (failed > 0 || came.distinct !== requests || came.invalid > 0) {
    throw new Error(`bare loop: ${failed} failed, ${JSON.stringify(came)}`);
  }
  return (requests / (came.lastAt - startedAt)) * 1000;
}

/** Single events that the framework alone takes and validates. */
export interface FastifyAlone {
  perSecond: number;
  /** CPU seconds per 100,000 events; null where the system does not tell. */
  cpu: number | null;
}

/** The framework alone, taking its turns. */
export async function startFastifyAlone(
  world: World,
  warmUpEvents: number,
): Promise<{ take(events: number): Promise<FastifyAlone>; stop(): Promise<void> }> {
  const server = startChild<FastifyCalls>("./fastify-alone.ts");
  const origin = await server.call("listen", undefined);
  const take = async (events: number): Promise<FastifyAlone> => {
    await world.load.call("connect", {
      origin,
      key: "",
      connections: SINGLES_IN_FLIGHT,
      resources: ["bench-0"],
      run: world.nextRun(),
    });
    const single = { batch: 1, inFlight: SINGLES_IN_FLIGHT };
    const before = cpuSeconds(server.pid);
    const sent = await world.load.call("flood", { events, ...single });
    if (sent.accepted !== events) throw new Error(`fastify alone: ${sent.accepted} accepted`);
    const after = cpuSeconds(server.pid);
    return {
      perSecond: (events / (sent.endedAt - sent.startedAt)) * 1000,
      cpu: before === null || after === null ? null : ((after - before) / events) * 100_000,
    };
  };
  await take(warmUpEvents);
  return { take, stop: async () => await server.stop() };
}
