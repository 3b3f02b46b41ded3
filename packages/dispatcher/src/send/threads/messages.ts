import type { SendResult } from "../send-result.ts";
import type { SenderOptions } from "../sender.ts";

/** What a thread's sender is made with: functions do not cross. */
export interface ThreadSettings extends Omit<
  SenderOptions,
  "now" | "allow" | "blockedPorts" | "resolver" | "sockets"
> {
  allow: { entries: readonly string[]; exclusive: boolean };
  blockedPorts: readonly number[];
  /** Of a `RightToWrite`. */
  right: SharedArrayBuffer;
  /** Of `Slots`. */
  progress: SharedArrayBuffer;
  /** Of a `SocketCount`, and the place of this thread's number in it. */
  sockets: SharedArrayBuffer;
  index: number;
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
export interface Reachable {
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
