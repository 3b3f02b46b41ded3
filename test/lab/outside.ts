import { createServer } from "node:http";
import { isIPv4 } from "node:net";
import {
  startNameServer,
  type Zone,
} from "../../packages/dispatcher/src/guard/testing/name-server.ts";
import { INNER_IPV6, NAME_SERVER, PUBLIC_BLOCKS, PUBLIC_EDGES } from "./network.ts";

/** Where requests may be aimed: the usual ones, an odd one, and some that the guard refuses. */
export const PORTS = [80, 443, 8080, 3000, 22, 6379];
const PUBLIC_STARTS = new Set(PUBLIC_BLOCKS.map((block) => block.split(".")[0]));

export interface Outside {
  /** Connections that came to an address at which nobody may come. */
  trips: string[];
  /** When requests came to each public address, monotonic ms. */
  arrivals: ReadonlyMap<string, number[]>;
  /** Connections that came to public addresses. */
  readonly accepted: number;
}

/** Everything that the service can reach: receivers on all public addresses, tripwires on all others, one name server. */
export async function openOutside(zone: Zone): Promise<Outside> {
  const trips: string[] = [];
  const arrivals = new Map<string, number[]>();
  let accepted = 0;
  for (const port of PORTS) {
    for (const host of ["0.0.0.0", "::"]) {
      const server = createServer((request, response) => {
        request.resume();
        const address = request.socket.localAddress ?? "";
        const times = arrivals.get(address);
        if (times === undefined) arrivals.set(address, [performance.now()]);
        else times.push(performance.now());
        const wish = new URL(request.url ?? "/", "http://x").searchParams;
        const location = wish.get("to");
        if (location !== null) response.writeHead(302, { location }).end();
        else response.writeHead(Number(wish.get("status") ?? 204)).end();
      });
      server.on("connection", (socket) => {
        const address = socket.localAddress ?? "";
        if (mayBeReached(address)) accepted += 1;
        else trips.push(`${address}:${port}`);
      });
      await new Promise<void>((resolve) => {
        server.listen({ port, host, ipv6Only: true }, resolve);
      });
    }
  }
  await startNameServer({ after: () => {} }, zone, { host: NAME_SERVER, port: 53 });
  return {
    trips,
    arrivals,
    get accepted() {
      return accepted;
    },
  };
}

function mayBeReached(address: string): boolean {
  if (!isIPv4(address)) return address !== INNER_IPV6;
  return PUBLIC_EDGES.includes(address) || PUBLIC_STARTS.has(address.split(".")[0] ?? "");
}
