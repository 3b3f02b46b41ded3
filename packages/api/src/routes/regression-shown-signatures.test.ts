import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";
import { purchase, TestSender } from "../testing/test-sender.ts";

const WEBHOOK = "/v1/webhooks/wh_00000000000000000001";
const SAMPLE = { event: "product.user.purchase", userId: 7 };

let api: TestApp;
let deliveryId: string;
before(async () => {
  api = await createTestApp();
  const { log, resources, webhooks } = api.store;
  await log.ensureProfile({ serviceName: "Service", userAgent: "Markethook/1" });
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", secret: "s" };
  const id = WEBHOOK.slice(-23);
  await webhooks.create({ ...input, id, resourceId: "map-1", format: "json" }, null);
  ({ id: deliveryId } = await new TestSender(api.store).fail(purchase("map-1", 7)));
});

async function makeBlindSession(): Promise<string> {
  const post = async (path: string, payload: object) =>
    (await api.send({ method: "POST", url: `/v1/portal-sessions${path}`, payload })).json();
  const { url } = await post("", { ownerId: "o-1", revealSecrets: false });
  const code = new URL(url.replace("#", "?")).searchParams.get("code");
  return (await post("/exchange", { code })).token;
}

/** The signatures in each answer that shows a request, by the kind of answer. */
async function shownTo(key: string): Promise<Record<string, string[]>> {
  const post = async (action: string, payload: object) => {
    const answer = await api.send({ method: "POST", url: `${WEBHOOK}/${action}`, payload, key });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const stored = await api.send({ method: "GET", url: `/v1/deliveries/${deliveryId}`, key });
  const requests = {
    ping: (await post("ping", {})).request,
    sample: (await post("sample", SAMPLE)).request,
    dryRun: (await post("sample", { ...SAMPLE, dryRun: true })).request,
    checkup: (await post("checkup", {})).ping.request,
    attempt: stored.json().attemptList[0].request,
  };
  return Object.fromEntries(
    Object.entries<{ headers: [string, string][] }>(requests).map(([kind, { headers }]) => [
      kind,
      headers.filter(([name]) => name.endsWith("ignature")).map(([, value]) => value),
    ]),
  );
}

test("who may not read secrets gets no signature, of a ping, a sample, a preview, a check-up or an attempt", async () => {
  const scopes = ["webhooks:write", "deliveries:read"];
  for (const key of [await api.makeKey(scopes), await makeBlindSession()]) {
    for (const [kind, signatures] of Object.entries(await shownTo(key))) {
      assert.ok(signatures.length > 0, kind);
      for (const signature of signatures) assert.equal(signature, "…", kind);
    }
  }
});

test("who may read secrets sees the signatures as they were sent", async () => {
  const scopes = ["webhooks:write", "deliveries:read", "secrets:read"];
  for (const key of [api.key, await api.makeKey(scopes), await api.makeSession("o-1")]) {
    for (const [kind, signatures] of Object.entries(await shownTo(key))) {
      assert.ok(signatures.includes("5".repeat(64)), kind);
    }
  }
});
