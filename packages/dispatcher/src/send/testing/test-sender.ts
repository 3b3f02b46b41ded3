import type { TestContext } from "node:test";

import { RenderedRequest } from "@markethook/protocol";

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
  const head = `POST ${pathname + search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return new RenderedRequest(url, head, body);
}

export function mayWrite(): boolean {
  return true;
}
