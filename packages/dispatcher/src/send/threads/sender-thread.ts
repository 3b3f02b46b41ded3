import { parentPort, workerData } from "node:worker_threads";
import { RenderedRequest } from "@markethook/protocol";
import { parseAllowList } from "../../guard/allow-list.ts";
import type { RequestOwner } from "../exchange.ts";
import { createSender } from "../sender.ts";
import { SocketCount } from "../socket-count.ts";
import type { FromThread, Order, ThreadSettings, ToThread } from "./messages.ts";
import { RightToWrite } from "./right-to-write.ts";
import { BEGUN, WRITTEN } from "./slots.ts";

/** A sender in a thread of its own: signs, dials, encrypts, writes, parses and records off the main thread. */
const settings = workerData as ThreadSettings; // Passed by thread.ts with this type.
const port = parentPort;
if (port === null) throw new Error("sender-thread.ts runs as a worker thread only");

const right = new RightToWrite({ wallNow: Date.now, memory: settings.right });
const progress = new Uint8Array(settings.progress);
const { entries, exclusive } = settings.allow;
const sender = createSender({
  ...settings,
  now: () => performance.now(),
  allow: { ...parseAllowList(entries.join(",")), exclusive },
  blockedPorts: new Set(settings.blockedPorts),
  sockets: new SocketCount(settings.sockets, settings.index),
});

/** Requests that wait for the answer to where they may go. */
const asking = new Map<number, (addresses: readonly string[]) => void>();
/** Messages to post at the end of this turn: ten in one message cost as much as one. */
let outgoing: FromThread[] = [];

function say(message: FromThread): void {
  if (outgoing.length === 0) setImmediate(flush);
  outgoing.push(message);
}

function flush(): void {
  port?.postMessage(outgoing);
  outgoing = [];
}

function start(order: Order): void {
  const { slot } = order;
  Atomics.store(progress, slot, BEGUN);
  let reachable = order.reachable === null ? null : new Set(order.reachable);
  const rights: Omit<RequestOwner, "ended"> = {
    party: order.party,
    mayWrite() {
      const { instanceNo } = order;
      if (instanceNo !== null && !right.mayWrite(instanceNo)) return false;
      // Set before the first byte: if this thread ends now, nothing else can tell.
      Atomics.store(progress, slot, WRITTEN);
      return true;
    },
    mayReach: (address) => reachable === null || reachable.has(address),
    async confirm(addresses) {
      const known = reachable;
      if (known === null || addresses.every((address) => known.has(address))) return;
      const answer = new Promise<readonly string[]>((resolve) => asking.set(slot, resolve));
      say({ kind: "question", slot, addresses });
      reachable = new Set(await answer);
    },
  };
  const end = (message: FromThread): void => {
    asking.delete(slot);
    say(message);
  };
  if (order.kind === "send") {
    const { url, head, body, method } = order.request;
    sender.start(new RenderedRequest(url, head, body, method), {
      ...rights,
      ended: (result) =>
        end({ kind: "ended", slot, result: { ...result, body: result.body.toString("latin1") } }),
    });
    return;
  }
  sender.startSigned(order.request, {
    ...rights,
    ended: (result, detail) => end({ kind: "recorded", slot, result, detail }),
    failed: (error) => end({ kind: "failed", slot, error: String(error) }),
  });
}

port.on("message", (messages: ToThread[]) => {
  for (const message of messages) {
    if (message.kind !== "reachable") {
      start(message);
      continue;
    }
    asking.get(message.slot)?.(message.addresses);
    asking.delete(message.slot);
  }
});
