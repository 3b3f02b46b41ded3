import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HangingReceiver {
  port: number;
  /** Delivery ids in order of arrival. */
  arrivals: string[];
  /** Requests that are not answered, by path. */
  open: Map<string, number>;
  mostOpen: number;
  mostOpenByPath: Map<string, number>;
  /** True: requests are kept waiting until `answerAll`. */
  hanging: boolean;
  answerAll(): void;
  /** Resolves when `done` says so; asked at each arrival. */
  until(done: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Answers 204, or keeps requests waiting. Listens on all loopback addresses, so that it has many host names. */
export async function startHangingReceiver(): Promise<HangingReceiver> {
  const held: (() => void)[] = [];
  let wake: () => void = () => {};
  const receiver: HangingReceiver = {
    port: 0,
    arrivals: [],
    open: new Map(),
    mostOpen: 0,
    mostOpenByPath: new Map(),
    hanging: false,
    answerAll: () => held.splice(0).forEach((answer) => answer()),
    async until(done) {
      while (!done()) await new Promise<void>((resolve) => (wake = resolve));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let openNow = 0;
  const server = createServer((request, response: ServerResponse) => {
    const path = `${request.headers.host ?? ""}${request.url ?? ""}`;
    const count = (receiver.open.get(path) ?? 0) + 1;
    openNow += 1;
    receiver.open.set(path, count);
    receiver.mostOpen = Math.max(receiver.mostOpen, openNow);
    receiver.mostOpenByPath.set(path, Math.max(receiver.mostOpenByPath.get(path) ?? 0, count));
    response.on("close", () => {
      openNow -= 1;
      receiver.open.set(path, (receiver.open.get(path) ?? 1) - 1);
    });
    request.resume().on("end", () => {
      receiver.arrivals.push(String(request.headers["x-service-delivery-id"]));
      const answer = (): void => void response.writeHead(204).end();
      if (receiver.hanging) held.push(answer);
      else answer();
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  receiver.port = (server.address() as AddressInfo).port; // It listens on a port.
  return receiver;
}
