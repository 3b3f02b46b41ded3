import type { RenderedRequest } from "@markethook/protocol";
import type { SendResult } from "../send-result.ts";
import type { SenderOptions } from "../sender.ts";
import type { JudgedResult } from "../signed-exchange.ts";
import { packRequest, type UnsignedRequest, unpackRequest } from "../signed-request.ts";

/** Settings of a thread's sender: functions cannot be sent to a thread. */
export interface ThreadSettings extends Omit<
  SenderOptions,
  "now" | "allow" | "blockedPorts" | "resolver" | "sockets"
> {
  allow: { entries: readonly string[]; exclusive: boolean };
  blockedPorts: readonly number[];
  /** Memory of a `RightToWrite`. */
  right: SharedArrayBuffer;
  /** Memory of `Slots`. */
  progress: SharedArrayBuffer;
  /** Memory of a `SocketCount`, and the index of this thread's number in it. */
  sockets: SharedArrayBuffer;
  index: number;
}

/** The rights of a request. */
export interface Rights {
  slot: number;
  party: string;
  /** Null: it may write for any instance. */
  instanceNo: number | null;
  /** The known addresses to which it may go; null: any. */
  reachable: readonly string[] | null;
}

export interface Order extends Rights {
  kind: "send";
  /** A request without its class, which does not cross. */
  request: Pick<RenderedRequest, "url" | "head" | "body" | "method">;
}

/** The answer to a question. */
export interface Reachable {
  kind: "reachable";
  slot: number;
  addresses: readonly string[];
}

export type ToThread = Order | Reachable | SignedOrder;

interface Ended {
  kind: "ended";
  slot: number;
  /** The body as Latin-1 text: a view of a buffer would copy the whole buffer. */
  result: Omit<SendResult, "body"> & { body: string };
}

/** A signed request met a fault of our own. */
interface Failed {
  kind: "failed";
  slot: number;
  error: string;
}

/** Asks to which of these addresses the request may go. */
interface Question {
  kind: "question";
  slot: number;
  addresses: readonly string[];
}

export type FromThread = Ended | Failed | Question | SignedEnd;

/** A request that the thread signs, as a list. */
export type SignedOrder = ReturnType<typeof packOrder>;

export function packOrder(rights: Rights, request: UnsignedRequest) {
  const { slot, party, instanceNo, reachable } = rights;
  return [slot, party, instanceNo, reachable, ...packRequest(request)] as const;
}

export function unpackOrder(order: SignedOrder): { rights: Rights; request: UnsignedRequest } {
  const [slot, party, instanceNo, reachable, ...packed] = order;
  return { rights: { slot, party, instanceNo, reachable }, request: unpackRequest(packed) };
}

/** A signed request ended, and its attempt's detail is written. */
export type SignedEnd = ReturnType<typeof packEnd>;

export function packEnd(slot: number, result: JudgedResult, detail: string) {
  const { status, category, sent, address, headers, timings } = result;
  return [
    slot,
    status,
    category,
    result.detail,
    sent,
    address,
    headers.length === 0 ? null : headers,
    timings.totalMs,
    detail,
  ] as const;
}

export function unpackEnd(end: SignedEnd): { slot: number; result: JudgedResult; detail: string } {
  const [slot, status, category, reason, sent, address, headers, totalMs, detail] = end;
  const timings = { totalMs };
  return {
    slot,
    result: { status, category, detail: reason, sent, address, headers: headers ?? [], timings },
    detail,
  };
}
