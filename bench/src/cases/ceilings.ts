import { startChild } from "../rig/calls.ts";
import type { FastifyCalls } from "../rig/fastify-alone.ts";
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

/** The framework alone, taking its turns: single events per second that it takes and validates. */
export async function startFastifyAlone(
  world: World,
  warmUpEvents: number,
): Promise<{ rate(events: number): Promise<number>; stop(): Promise<void> }> {
  const server = startChild<FastifyCalls>("./fastify-alone.ts");
  const origin = await server.call("listen", undefined);
  const rate = async (events: number): Promise<number> => {
    await world.load.call("connect", {
      origin,
      key: "",
      connections: SINGLES_IN_FLIGHT,
      resources: ["bench-0"],
      run: world.nextRun(),
    });
    const single = { batch: 1, inFlight: SINGLES_IN_FLIGHT };
    const sent = await world.load.call("flood", { events, ...single });
    if (sent.accepted !== events) throw new Error(`fastify alone: ${sent.accepted} accepted`);
    return (events / (sent.endedAt - sent.startedAt)) * 1000;
  };
  await rate(warmUpEvents);
  return { rate, stop: async () => await server.stop() };
}
