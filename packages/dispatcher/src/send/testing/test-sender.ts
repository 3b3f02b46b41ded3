import type { TestContext } from "node:test";

import { RenderedRequest } from "@markethook/protocol";

import { parseAllowList } from "../../guard/allow-list.ts";
import { createThreadedSender } from "../threads/threaded-sender.ts";
import { createSender, type Sender, type SenderOptions } from "../sender.ts";

const THREADS = Number(process.env["MARKETHOOK_TEST_SENDER_THREADS"] ?? 0);

/** Time limit of an attempt, for tests that wait until it is over. */
export const LIMIT_MS = 5000;
/** Of all other attempts: however slow the machine is, none is over before its test. */
export const NEVER_OVER_MS = 3_600_000;

/** This process tests the sender with threads behind it: see `test/full/sender-in-threads.test.ts`. */
export const IN_THREADS = THREADS > 0;

/** A sender that may go to this machine. Closed with the test. */
export function testSender(t: TestContext, options: Partial<SenderOptions> = {}): Sender {
  const all = {
    now: () => performance.now(),
    attemptTimeoutMs: NEVER_OVER_MS,
    allow: parseAllowList("127.0.0.0/8,::1/128"),
    blockedPorts: new Set<number>(),
    ...options,
  };
  // A test's own clock and its own names do not cross into a thread.
  const crosses = options.now === undefined && options.resolver === undefined;
  const sender =
    IN_THREADS && crosses
      ? createThreadedSender({
          ...all,
          threads: THREADS,
          wallNow: Date.now,
        })
      : createSender(all);
  t.after(() => sender.close());
  return sender;
}

export function postTo(url: string, body = '{"event":"ping"}'): RenderedRequest {
  const { host, pathname, search } = new URL(url);
  const head = `POST ${pathname + search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return new RenderedRequest(url, head, body);
}

export function mayWrite(): boolean {
  return true;
}
