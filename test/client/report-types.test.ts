import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventInput, EventItem } from "@markethook/client";
import { createTestApp } from "../../packages/api/src/testing/test-app.ts";

const user = { id: 4711 };
const version = { version: "1.1", id: "u2", size: 1_050_000, fileType: "zip" };
const untitled = { ...version, description: "Now with water." };
const update = { ...untitled, title: "Moat" };
const resourceId = "castle";

/** Each line under an `expect-error` must not compile: `npm run check` fails when it does. */
const REFUSED: readonly EventInput[] = [
  // @ts-expect-error a purchase needs `user`
  { event: "product.user.purchase" },
  // @ts-expect-error so does a refund
  { event: "product.user.purchaseRemoved" },
  // @ts-expect-error and a first download
  { event: "product.user.firstDownload" },
  // @ts-expect-error a user's id is a number
  { event: "product.user.purchase", user: { id: "4711" } },
  // @ts-expect-error an update needs `update`
  { event: "product.update" },
  // @ts-expect-error and all its fields
  { event: "product.update", update: untitled },
  // @ts-expect-error it has no user
  { event: "product.update", update, user },
  // @ts-expect-error and a purchase has no update
  { event: "product.user.purchase", user, update },
  // @ts-expect-error nor a version before
  { event: "product.user.purchase", user, previous: { ...version, time: 1 } },
  // @ts-expect-error a ping is not reported
  { event: "ping" },
  // @ts-expect-error there is no such event
  { event: "product.user.refund", user },
  // @ts-expect-error there is no such field
  { event: "product.user.purchase", user, time: 1_767_323_045 },
  // @ts-expect-error in the body of one event, the resource is not named again
  { event: "product.user.purchase", user, resourceId },
];

const REFUSED_ITEMS: readonly EventItem[] = [
  // @ts-expect-error in a batch, each event names its resource
  { event: "product.user.purchase", user },
  // @ts-expect-error and has what its event needs
  { resourceId, event: "product.user.purchase" },
  // @ts-expect-error an update too
  { resourceId, event: "product.update", user },
];

const TAKEN: readonly EventInput[] = [
  { event: "product.user.purchase", user, occurredAt: 1_767_225_600, idempotencyKey: "line-1" },
  { event: "product.user.purchaseRemoved", user, details: { reason: "chargeback" } },
  { event: "product.user.firstDownload", user },
  { event: "product.update", update, previous: { ...version, id: "u1", time: 1_767_225_600 } },
];

test("what does not compile is refused, and what compiles is taken, one by one and in a batch", async () => {
  const api = await createTestApp();
  await api.store.resources.put([
    { id: resourceId, ownerId: "1001", title: "Castle", subtitle: "" },
  ]);
  const post = (url: string, body: object) => api.send({ method: "POST", url, payload: body });
  const one = async (event: EventInput): Promise<number> =>
    (await post(`/v1/resources/${resourceId}/events`, event)).statusCode;
  const many = async (events: readonly object[]): Promise<string[]> =>
    (await post("/v1/events", { events }))
      .json<{ results: { status: string }[] }>()
      .results.map(({ status }) => status);

  for (const event of REFUSED) assert.equal(await one(event), 422, JSON.stringify(event));
  for (const event of TAKEN) assert.equal(await one(event), 202, JSON.stringify(event));
  const items = TAKEN.map((event, i) => ({ ...event, resourceId, idempotencyKey: `item-${i}` }));
  assert.deepEqual(new Set(await many(REFUSED_ITEMS)), new Set(["rejected"]));
  assert.ok(!(await many(items)).includes("rejected"));
  await api.app.close();
});

test("a report says what it is by its event", () => {
  const describe = (report: EventInput): string =>
    report.event === "product.update" ? report.update.title : `user ${report.user.id}`;
  assert.deepEqual(TAKEN.map(describe), ["user 4711", "user 4711", "user 4711", "Moat"]);
});
