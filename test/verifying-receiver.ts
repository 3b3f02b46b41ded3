import { createServer } from "node:http";
import { listenOnLoopback } from "@markethook/protocol/testing";
import type { EventEnvelope } from "@markethook/receiver";
import { createNodeHandler } from "@markethook/receiver/node";

export interface VerifyingReceiver {
  url: string;
  /** What requests are verified with. */
  secrets: string[];
  /** What was verified, in order of arrival. */
  events: EventEnvelope[];
  /** Resolves when so many have arrived in all; throws when a request does not verify. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A receiver on the receiver library, as an owner would write it, that keeps what it got. */
export async function startVerifyingReceiver(): Promise<VerifyingReceiver> {
  let wake: () => void = () => {};
  const rejected: string[] = [];
  const receiver: VerifyingReceiver = {
    url: "",
    secrets: [],
    events: [],
    async received(count) {
      while (receiver.events.length < count && rejected.length === 0)
        await new Promise<void>((resolve) => (wake = resolve));
      if (rejected.length > 0) throw new Error(rejected.join(" "));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const handler = createNodeHandler({
    secrets: () => receiver.secrets,
    onEvent({ event }) {
      receiver.events.push(event);
      wake();
    },
    onRejected({ sentence }) {
      rejected.push(sentence);
      wake();
    },
  });
  const server = createServer((request, response) => void handler(request, response));
  receiver.url = `http://127.0.0.1:${await listenOnLoopback(server)}/hooks`;
  return receiver;
}
