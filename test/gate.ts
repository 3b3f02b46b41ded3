import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";

/**
 * What becomes of a request on its way: passed on; stored and its answer withheld, or lost with the connection; dropped
 * before it arrives; or answered so in the place of the service.
 */
type Treatment = "pass" | "withhold" | "lose" | "drop" | ((response: ServerResponse) => void);

export interface Gate {
  url: string;
  /** Requests so far. */
  count: number;
  /** Asked for each request, with its number from 1. */
  treat: (number: number) => Treatment;
  /** Resolves when the service has answered a request whose answer is withheld. */
  withheld(): Promise<void>;
  close(): Promise<void>;
}

/** Stands before a service and can lose requests and answers. */
export async function startGate(address: string): Promise<Gate> {
  let wake: () => void = () => {};
  const gate: Gate = {
    url: "",
    count: 0,
    treat: () => "pass",
    withheld: () => new Promise((resolve) => (wake = resolve)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    gate.count += 1;
    const treatment = gate.treat(gate.count);
    if (treatment === "drop") return void incoming.socket.destroy();
    if (typeof treatment === "function") {
      return void incoming.resume().on("end", () => treatment(outgoing));
    }
    const { method = "GET", url = "/", headers } = incoming;
    const passed = forward(`${address}${url}`, { method, headers }, (answer) => {
      if (treatment === "withhold" || treatment === "lose") {
        answer.resume().on("end", () => (treatment === "lose" ? outgoing.destroy() : wake()));
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  gate.url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return gate;
}
