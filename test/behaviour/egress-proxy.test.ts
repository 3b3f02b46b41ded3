import assert from "node:assert/strict";
import { test } from "node:test";
import { startConnectProxy } from "../../packages/dispatcher/src/send/testing/connect-proxy.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { startRunningService } from "../running-service.ts";

test(
  "with MARKETHOOK_EGRESS_PROXY set, receivers are reached through it",
  { timeout: 60_000 },
  async (t) => {
    const proxy = await startConnectProxy(t);
    const service = await startRunningService({
      MARKETHOOK_EGRESS_PROXY: `http://name:pass@127.0.0.1:${proxy.port}`,
    });
    t.after(() => service.stop());
    const { address, apiKey, receiverUrl } = service;
    const { webhookIds } = await setUpMarketplace(address, apiKey, "castle", [receiverUrl]);
    const ping = await fetch(`${address}/v1/webhooks/${webhookIds[0] ?? ""}/ping`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const answer = (await ping.json()) as { status: number };
    assert.equal(answer.status, 204);
    assert.match(
      proxy.heads.join(""),
      new RegExp(`^CONNECT ${new URL(receiverUrl).host} .*Basic bmFtZTpwYXNz`, "s"),
    );
  },
);
