import { parentPort, workerData } from "node:worker_threads";
import { RenderedRequest } from "@markethook/protocol";
import { parseAllowList } from "../../guard/allow-list.ts";
import type { RequestOwner } from "../exchange.ts";
import { createSender } from "../sender.ts";
import type { SendResult } from "../send-result.ts";
import type { JudgedResult, SignedOwner } from "../signed-exchange.ts";
import { SocketCount } from "../socket-count.ts";
import {
  type FromThread,
  type Order,
  packEnd,
  type Rights,
  type SignedOrder,
  type ThreadSettings,
  type ToThread,
  unpackOrder,
} from "./messages.ts";
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

/** Stands for a request's owner, who is in the main thread. */
class RemoteOwner {
  readonly party: string;
  readonly #slot: number;
  readonly #instanceNo: number | null;
  #reachable: readonly string[] | null;

  constructor({ slot, party, instanceNo, reachable }: Rights) {
    this.party = party;
    this.#slot = slot;
    this.#instanceNo = instanceNo;
    this.#reachable = reachable;
  }

  mayWrite(): boolean {
    if (this.#instanceNo !== null && !right.mayWrite(this.#instanceNo)) return false;
    // Set before the first byte: if this thread ends now, nothing else can tell.
    Atomics.store(progress, this.#slot, WRITTEN);
    return true;
  }

  mayReach(address: string): boolean {
    return this.#reachable === null || this.#reachable.includes(address);
  }

  async confirm(addresses: readonly string[]): Promise<void> {
    if (addresses.every((address) => this.mayReach(address))) return;
    const slot = this.#slot;
    const answer = new Promise<readonly string[]>((resolve) => asking.set(slot, resolve));
    say({ kind: "question", slot, addresses });
    this.#reachable = await answer;
  }

  protected end(message: (slot: number) => FromThread): void {
    asking.delete(this.#slot);
    say(message(this.#slot));
  }
}

class RemoteRequestOwner extends RemoteOwner implements RequestOwner {
  ended(result: SendResult): void {
    const body = result.body.toString("latin1");
    this.end((slot) => ({ kind: "ended", slot, result: { ...result, body } }));
  }
}

class RemoteSignedOwner extends RemoteOwner implements SignedOwner {
  ended(result: JudgedResult, detail: string): void {
    this.end((slot) => packEnd(slot, result, detail));
  }

  failed(error: unknown): void {
    this.end((slot) => ({ kind: "failed", slot, error: String(error) }));
  }
}

function startSigned(order: SignedOrder): void {
  const { rights, request } = unpackOrder(order);
  Atomics.store(progress, rights.slot, BEGUN);
  sender.startSigned(request, new RemoteSignedOwner(rights));
}

function start(order: Order): void {
  Atomics.store(progress, order.slot, BEGUN);
  const { url, head, body, method } = order.request;
  sender.start(new RenderedRequest(url, head, body, method), new RemoteRequestOwner(order));
}

port.on("message", (messages: ToThread[]) => {
  for (const message of messages) {
    if (!("kind" in message)) startSigned(message);
    else if (message.kind === "send") start(message);
    else {
      asking.get(message.slot)?.(message.addresses);
      asking.delete(message.slot);
    }
  }
});
