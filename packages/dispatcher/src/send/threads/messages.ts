import type { SendResult } from "../send-result.ts";
import type { SenderOptions } from "../sender.ts";

/** What a thread's sender is made with: functions do not cross. */
export interface ThreadSettings extends Omit<
  SenderOptions,
  "now" | "allow" | "blockedPorts" | "resolver"
> {
  allow: { entries: readonly string[]; exclusive: boolean };
  blockedPorts: readonly number[];
  /** Of a `RightToWrite`. */
  right: SharedArrayBuffer;
  /** A byte for each open request: 1 as soon as its first byte may have been written. */
  written: SharedArrayBuffer;
  /** One number: open sockets. */
  sockets: SharedArrayBuffer;
}

export interface Order {
  kind: "send";
  slot: number;
  url: string;
  head: string;
  body: string;
  method: "POST" | "PATCH";
  party: string;
  /** Null: it may write whatever the instance. */
  instanceNo: number | null;
  /** Addresses to which it may go, of those that are known; null: to any. */
  reachable: readonly string[] | null;
}

/** The answer to a question. */
interface Reachable {
  kind: "reachable";
  slot: number;
  addresses: readonly string[];
}

export type ToThread = Order | Reachable;

interface Ended {
  kind: "ended";
  slot: number;
  /** The body as Latin-1: a view of a buffer would bring the whole buffer along. */
  result: Omit<SendResult, "body"> & { body: string };
}

/** To which of these may the request go? */
interface Question {
  kind: "question";
  slot: number;
  addresses: readonly string[];
}

export type FromThread = Ended | Question;
