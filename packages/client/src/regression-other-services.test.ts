import assert from "node:assert/strict";
import { test } from "node:test";
import { UnexpectedAnswerError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { answerJson } from "./testing/scripted-server.ts";

/** Lists ended with a TypeError, and calls that change something seemed to have done it. */
for (const body of [{}, { status: "ok" }, [], null, "ok"]) {
  test(`another service's 200 with ${JSON.stringify(body)} is told as an unexpected answer`, async (t) => {
    const { client } = await against(t, [answerJson(200, body)]);
    const { webhooks, deliveries, replay, sendWaiting, resources } = client;
    const range = { from: 1, to: 2 };
    const resource = { title: "Castle", subtitle: "", ownerId: "1" };
    const calls: Record<string, () => Promise<unknown>> = {
      webhooks: () => webhooks.list().next(),
      "webhooks of a resource": () => webhooks.list({ resourceId: "castle" }).next(),
      deliveries: () => deliveries.list().next(),
      resources: () => resources.list().next(),
      events: () => client.events.list().next(),
      notices: () => client.notices.list().next(),
      audit: () => client.audit.list().next(),
      "audit check": () => client.audit.check(),
      sessions: () => client.portalSessions.list(),
      "put many": () => resources.putMany([{ id: "castle", ...resource }]),
      add: () => webhooks.create("castle", { url: "https://bot.example/hooks" }),
      copy: () => webhooks.copy("wh_a", ["castle"]),
      ping: () => webhooks.ping("wh_a"),
      sample: () => webhooks.sendSample("wh_a", { event: "product.user.purchase" }),
      redeliver: () => deliveries.redeliver("dlv_a"),
      "send now": () => deliveries.sendNow("dlv_a"),
      "replay count": () => replay.count("wh_a", range),
      replay: () => replay.run("wh_a", range),
      "waiting count": () => sendWaiting.count("wh_a"),
      "send waiting": () => sendWaiting.run("wh_a"),
      "stop waiting": () => sendWaiting.stop("wh_a"),
      session: () => client.portalSessions.create({ ownerId: "1" }),
      key: () => client.apiKeys.create({ name: "shop", scopes: ["events:write"] }),
      erase: () => client.users.erase(1),
    };
    for (const [name, call] of Object.entries(calls)) {
      await assert.rejects(call, UnexpectedAnswerError, name);
    }
  });
}
