import { startChild } from "../rig/calls.ts";
import type { FastifyCalls } from "../rig/fastify-alone.ts";
import { SECRET } from "../rig/service.ts";
import type { World } from "../rig/world.ts";

const CONNECTIONS = 100;
const ARRIVAL_MS = 30_000;

/** Requests per second of a client that only sends, to the same receivers, which verify as ever. */
export async function bareLoop(world: World, requests: number): Promise<number> {
  const { receiver, port, addresses } = world;
  await receiver.call("reset", { keepArrivals: false });
  const { startedAt, failed } = await world.bareLoop.call("run", {
    requests,
    port,
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

/** Single events per second that the framework alone takes and validates. */
export async function fastifyAlone(
  world: World,
  input: { events: number; inFlight: number },
): Promise<number> {
  const server = startChild<FastifyCalls>("./fastify-alone.ts");
  try {
    const origin = await server.call("listen", undefined);
    await world.load.call("connect", {
      origin,
      key: "",
      connections: input.inFlight,
      resources: ["bench-0"],
      run: world.nextRun(),
    });
    // Once to warm it up.
    await world.load.call("flood", {
      events: input.events / 4,
      batch: 1,
      inFlight: input.inFlight,
    });
    const { startedAt, endedAt, accepted } = await world.load.call("flood", {
      events: input.events,
      batch: 1,
      inFlight: input.inFlight,
    });
    if (accepted !== input.events) throw new Error(`fastify alone: ${accepted} accepted`);
    return (input.events / (endedAt - startedAt)) * 1000;
  } finally {
    await server.stop();
  }
}
