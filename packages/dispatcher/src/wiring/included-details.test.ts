import assert from "node:assert/strict";
import { test } from "node:test";
import { renderRequest } from "@markethook/protocol";
import type { AttemptDetail } from "@markethook/store";
import { type Arrival, startReceiver } from "./testing/receiver.ts";
import { sqliteWorld, type World } from "./testing/world.ts";

const DETAILS = '{"buyerName":"Jo \\"J\\"","amount":4.5,"orderId":"88213"}';

/** What stands behind the nonce, which differs from request to request. */
function payloadIn({ body }: Arrival): string {
  return body.slice(body.indexOf('"payload":'));
}

/** The bodies that the log shows, oldest first. */
async function shownBodies(world: World): Promise<string[]> {
  const profiles = await world.store.log.profiles();
  const bodies: string[] = [];
  for (const summary of await world.deliveries()) {
    const found = await world.details(summary);
    for (const { number, detail } of found.attemptRecords) {
      const stored = JSON.parse(detail) as AttemptDetail; // Our sender wrote it.
      const profile = profiles.get(stored.profile);
      assert.ok(profile);
      bodies.push(renderRequest(profile, found, number, stored).body);
    }
  }
  return bodies;
}

test("details go along behind the members of every payload, as reported, to webhooks that want them", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url("/plain"));
  await world.webhook(receiver.url("/details"), { includeDetails: true });
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([{ ...world.purchase(7), details: DETAILS }, world.purchase(8)]);
  await world.settledAs(seen, "delivered", 4);
  const bodyOf = (path: string, user: number): string => {
    const arrival = receiver.arrivals.find(
      (one) => one.path === path && one.payload.user?.id === user,
    );
    assert.ok(arrival);
    return payloadIn(arrival);
  };
  const plain = bodyOf("/plain", 7);
  assert.ok(plain.endsWith(',"user":{"id":7}}}'), plain);
  assert.equal(bodyOf("/details", 7), `${plain.slice(0, -2)},"details":${DETAILS}}}`);
  assert.equal(bodyOf("/details", 8), bodyOf("/plain", 8));
  assert.deepEqual(
    (await shownBodies(world)).sort(),
    receiver.arrivals.map(({ body }) => body).sort(),
  );
});

test("an attempt stays as it was sent when its webhook wants details from then on, or no more", async (t) => {
  const world = await sqliteWorld(t);
  const { store } = world;
  const receiver = await startReceiver(t, null);
  const { id } = await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([{ ...world.purchase(7), details: DETAILS }]);
  for (const [attempt, includeDetails] of [
    [1, true],
    [2, false],
  ] as const) {
    await receiver.arrived(attempt);
    await store.webhooks.change(id, null, { includeDetails });
    receiver.answer((arrival) => (arrival.attempt === attempt ? 500 : null));
  }
  await receiver.arrived(3);
  receiver.answer(200);
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    receiver.arrivals.map(({ body }) => body.includes(`"details":${DETAILS}`)),
    [false, true, false],
  );
  assert.deepEqual(
    await shownBodies(world),
    receiver.arrivals.map(({ body }) => body),
  );
});

test("damaged details are left out of the request, and the log shows it without them", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url(), { includeDetails: true });
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([{ ...world.purchase(7), details: '{"amount":' }]);
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    await shownBodies(world),
    receiver.arrivals.map(({ body }) => body),
  );
  assert.doesNotMatch(receiver.arrivals[0]?.body ?? "", /details/);
});

test("a webhook that changes while details are read is read again: none go along that its owner no longer wants", async (t) => {
  const world = await sqliteWorld(t);
  const { store } = world;
  const receiver = await startReceiver(t);
  const { id } = await world.webhook(receiver.url(), { includeDetails: true });
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const events = {
    ...store.events,
    async details(eventSeqs: readonly number[]) {
      began.resolve();
      await goOn.promise;
      return await store.events.details(eventSeqs);
    },
  };
  const { dispatcher, seen } = await world.instance({ store: { ...store, events } });
  await dispatcher.accept([{ ...world.purchase(7), details: DETAILS }]);
  await began.promise;
  await store.webhooks.change(id, null, { includeDetails: false });
  goOn.resolve();
  await world.settledAs(seen, "delivered", 1);
  assert.deepEqual(
    receiver.arrivals.map(({ attempt, body }) => [attempt, body.includes("details")]),
    [[1, false]],
  );
});

test("no details are read for a webhook that does not want them", async (t) => {
  const world = await sqliteWorld(t);
  const receiver = await startReceiver(t);
  await world.webhook(receiver.url());
  const events = {
    ...world.store.events,
    details: () => assert.fail("they were read"),
  };
  const { dispatcher, seen } = await world.instance({ store: { ...world.store, events } });
  await dispatcher.accept([{ ...world.purchase(7), details: DETAILS }]);
  await world.settledAs(seen, "delivered", 1);
});
