import type { SendResult } from "../send-result.ts";
import type { SenderOptions } from "../sender.ts";

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

export interface Order {
  kind: "send";
  slot: number;
  url: string;
  head: string;
  body: string;
  method: "POST" | "PATCH";
  party: string;
  /** Null: it may write for any instance. */
  instanceNo: number | null;
  /** The known addresses to which it may go; null: any. */
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
  /** The body as Latin-1 text: a view of a buffer would copy the whole buffer. */
  result: Omit<SendResult, "body"> & { body: string };
}

/** Asks to which of these addresses the request may go. */
interface Question {
  kind: "question";
  slot: number;
  addresses: readonly string[];
}

export type FromThread = Ended | Question;
