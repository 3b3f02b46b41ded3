import type { RenderedRequest } from "@markethook/protocol";
import type { SendResult } from "../send-result.ts";
import type { JudgedResult, UnsignedRequest } from "../signed-exchange.ts";
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

/** A request without its class, which does not cross. */
type PlainRequest = Pick<RenderedRequest, "url" | "head" | "body" | "method">;

export type Order = Rights &
  ({ kind: "send"; request: PlainRequest } | { kind: "sign"; request: UnsignedRequest });

interface Rights {
  slot: number;
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

/** A signed request ended, and its attempt's detail is written. */
interface Recorded {
  kind: "recorded";
  slot: number;
  result: JudgedResult;
  detail: string;
}

/** A signed request met a fault of our own. */
interface Failed {
  kind: "failed";
  slot: number;
  error: unknown;
}

/** Asks to which of these addresses the request may go. */
interface Question {
  kind: "question";
  slot: number;
  addresses: readonly string[];
}

export type FromThread = Ended | Recorded | Failed | Question;
