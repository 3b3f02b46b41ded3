import type { TestContext } from "node:test";

import type { RenderedRequest } from "@markethook/protocol";

import { parseAllowList } from "../../guard/allow-list.ts";
import { createSender, type Sender, type SenderOptions } from "../sender.ts";

/** A sender that may go to this machine, with limits short enough to wait for. Closed with the test. */
export function testSender(t: TestContext, options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    now: () => performance.now(),
    attemptTimeoutMs: 5000,
    allow: parseAllowList("127.0.0.0/8,::1/128"),
    blockedPorts: new Set(),
    ...options,
  });
  t.after(() => sender.close());
  return sender;
}

export function postTo(url: string, body = '{"event":"ping"}'): RenderedRequest {
  const { host, pathname, search } = new URL(url);
  return {
    method: "POST",
    url,
    target: pathname + search,
    headers: [
      ["Host", host],
      ["Content-Type", "application/json"],
      ["Content-Length", String(Buffer.byteLength(body))],
    ],
    body,
  };
}

export function mayWrite(): boolean {
  return true;
}
