import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { call } from "../marketplace.ts";
import { type RunningService, startRunningService } from "../running-service.ts";

/** Of routes that change something and leave no audit row: why. */
const NO_ROW: Readonly<Record<string, string>> = {
  reportEvent: "events are the service's work: each is in the log with what became of it",
  reportEvents: "as above",
  pingWebhook: "a ping is a delivery, in the log",
  sendSample: "nothing is stored",
  checkWebhook: "its ping is in the log, and nothing else is stored",
  checkUrl: "nothing is stored",
  verifyRequest: "nothing is stored, and the secret is not shown",
  sendNow: "it does where something waits: the store's conformance tests try it",
  sendWaiting: "as above",
  stopWaiting: "it does where something is being sent: the store's conformance tests try it",
  renewCurrentSession: "it does where it brings time: the store's conformance tests try it",
  exchangePortalCode: "with the code of a real link, which the table of steps tries",
};

interface Step {
  operation: string;
  method: string;
  path: string;
  body?: Record<string, unknown>;
  /** What the newest rows must be; several where more than one thing is changed. */
  rows: string[];
  /** Of the answer, for later paths. */
  keep?: (answer: Record<string, unknown>) => void;
}

let service: RunningService;
const known = { webhook: "", key: "", session: "", code: "", delivery: "" };
before(async () => {
  service = await startRunningService();
});
after(async () => {
  await service.stop();
});

/** Each route that changes something, in an order in which each has something to change. */
function steps(): Step[] {
  const url = service.receiverUrl;
  const hook = `/webhooks/${known.webhook}`;
  const put = { title: "T", ownerId: "o-1" };
  const record = { kind: "resource", id: "c", title: "T", ownerId: "o-1" };
  return [
    step("putResource", "PUT", "/resources/a", put, ["resource.create"]),
    step("putResource", "PUT", "/resources/a", put, []),
    step("putResources", "PUT", "/resources", { items: [{ id: "b", ...put }] }, [
      "resource.create",
    ]),
    {
      ...step("createWebhook", "POST", "/resources/a/webhooks", { url }, ["webhook.create"]),
      keep: (answer) => (known.webhook = String(answer["id"])),
    },
    step("changeWebhook", "PATCH", hook, { description: "x" }, ["webhook.change"]),
    step("copyWebhook", "POST", `${hook}/copy`, { resourceIds: ["b"] }, ["webhook.copy"]),
    step("pauseWebhook", "POST", `${hook}/pause`, undefined, ["webhook.pause"]),
    step("resumeWebhook", "POST", `${hook}/resume`, { held: "send" }, ["webhook.resume"]),
    step("revealSecret", "GET", `${hook}/secret`, undefined, ["secret.reveal"]),
    step("revealUrl", "GET", `${hook}/url`, undefined, ["url.reveal"]),
    step("rotateSecret", "POST", `${hook}/secret/rotate`, {}, ["secret.rotate"]),
    step("cancelRotation", "DELETE", `${hook}/secret/rotation`, undefined, [
      "secret.cancel_rotation",
    ]),
    step("rotateSecret", "POST", `${hook}/secret/rotate`, {}, ["secret.rotate"]),
    step("switchSecret", "POST", `${hook}/secret/switch`, undefined, ["secret.switch"]),
    step("redeliver", "POST", `/deliveries/${known.delivery}/redeliver`, {}, [
      "delivery.redeliver",
    ]),
    step(
      "replayWebhook",
      "POST",
      `${hook}/replay`,
      { from: 0, to: 9_999_999_999, states: ["delivered"] },
      ["webhook.replay"],
    ),
    {
      ...step("createApiKey", "POST", "/api-keys", { name: "n", scopes: ["admin"] }, [
        "api_key.create",
      ]),
      keep: (answer) => (known.key = String(answer["id"])),
    },
    step("revokeApiKey", "DELETE", `/api-keys/${known.key}`, undefined, ["api_key.revoke"]),
    {
      ...step("createPortalSession", "POST", "/portal-sessions", { ownerId: "o-1" }, [
        "portal_session.create",
      ]),
      keep(answer) {
        known.session = String(answer["id"]);
        known.code = String(answer["url"]).split("#code=")[1] ?? "";
      },
    },
    step("exchangePortalCode", "POST", "/portal-sessions/exchange", { code: known.code }, [
      "portal_session.open",
    ]),
    step("revokePortalSession", "DELETE", `/portal-sessions/${known.session}`, undefined, [
      "portal_session.revoke",
    ]),
    step("importRecords", "POST", "/import", { records: [record] }, ["import.run"]),
    step("eraseUser", "POST", "/users/7/erase", {}, ["user.erased", "user.erase"]),
    step("deleteWebhook", "DELETE", hook, undefined, ["webhook.delete"]),
    step("deleteResource", "DELETE", "/resources/a", undefined, ["resource.delete"]),
  ];
}

function step(
  operation: string,
  method: string,
  path: string,
  body: Record<string, unknown> | undefined,
  rows: string[],
): Step {
  return { operation, method, path, rows, ...(body === undefined ? {} : { body }) };
}

async function request(method: string, path: string, body?: object, key = service.apiKey) {
  const response = await fetch(`${service.address}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

interface Row {
  no: number;
  action: string;
  actor: { kind: string; name: string | null };
  requestId: string | null;
  subject: { kind: string; id: string };
}

async function newest(limit: number, key?: string): Promise<Row[]> {
  const { items } = await request("GET", `/audit?limit=${limit}`, undefined, key);
  return items as Row[]; // As documented.
}

test("every route that changes something leaves its audit rows, or stands in the list of those that need none", async () => {
  const tried = new Set<string>();
  for (let i = 0; i < steps().length; i += 1) {
    const before = (await newest(1))[0]?.no ?? 0;
    // Made again each time: paths name what earlier steps have made.
    const one = steps()[i];
    assert.ok(one !== undefined);
    const answer = await request(one.method, one.path, one.body);
    one.keep?.(answer);
    tried.add(one.operation);
    const rows = (await newest(10)).filter(({ no }) => no > before);
    assert.deepEqual(
      rows.map(({ action }) => action),
      one.rows,
      one.operation,
    );
    for (const { actor, requestId } of rows) {
      const opened: boolean = one.operation === "exchangePortalCode";
      assert.equal(actor.kind, opened ? "portal_session" : "api_key", one.operation);
      assert.match(requestId ?? "", /^req_/);
    }
    if (one.operation === "createWebhook") {
      const { receiver, address, apiKey } = service;
      const purchase = { event: "product.user.purchase", user: { id: 7 } };
      await call(address, apiKey, "POST", "/resources/a/events", purchase);
      await receiver.until(() => receiver.arrivals.length > 0);
      known.delivery = receiver.arrivals[0] ?? "";
      await delivered(known.delivery);
    }
  }
  // With a session of its own, which ends itself.
  const link = await request("POST", "/portal-sessions", { ownerId: "o-1" });
  const code = String(link["url"]).split("#code=")[1];
  const { token } = await request("POST", "/portal-sessions/exchange", { code });
  const own = await newest(200, String(token));
  assert.ok(own.length > 5);
  assert.ok(own.every(({ subject }) => ["webhook", "delivery", "resource"].includes(subject.kind)));
  assert.ok(own.every(({ actor }) => actor.name === null));
  await request("DELETE", "/portal-sessions/current", undefined, String(token));
  tried.add("endCurrentSession");
  const [ended] = await newest(1);
  assert.deepEqual([ended?.action, ended?.actor.name], ["portal_session.revoke", "o-1"]);

  const { paths } = (await request("GET", "/openapi.json")) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const changing = Object.values(paths).flatMap((methods) =>
    Object.entries(methods)
      .filter(([method]) => method !== "get")
      .map(([, { operationId }]) => operationId),
  );
  const missing = changing.filter((id) => !tried.has(id) && NO_ROW[id] === undefined);
  assert.deepEqual(missing, [], "a route that changes something says which audit row it leaves");
  const { broken } = await request("GET", "/audit/check");
  assert.equal(broken, null);
});

/** Its outcome is written a moment after its arrival. */
async function delivered(id: string): Promise<void> {
  while ((await request("GET", `/deliveries/${id}`))["state"] !== "delivered") await pause(10);
}
