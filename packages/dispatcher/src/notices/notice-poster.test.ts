import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { makeSecret, signBody, signRequest } from "@markethook/protocol";
import { testSender } from "../send/testing/test-sender.ts";
import { startReceiver } from "../wiring/testing/receiver.ts";
import { postgresWorld, sqliteWorld, type World } from "../wiring/testing/world.ts";
import { createNoticePoster, type NoticeFailure } from "./notice-poster.ts";

const SECRET = makeSecret(randomBytes);
const PROFILE = { serviceName: "Market", userAgent: "Markethook/test" };

function poster(t: TestContext, store: World["store"], url: string, holder: string) {
  const failures: NoticeFailure[] = [];
  const faults: unknown[] = [];
  const made = createNoticePoster({
    store,
    sender: testSender(t),
    url,
    secret: SECRET,
    profile: PROFILE,
    holder,
    wallNow: () => Date.now(),
    random: () => 0.5,
    randomBytes,
    failed: (failure) => failures.push(failure),
    fault: (error) => void faults.push(error),
    attemptTimeoutMs: 15_000,
    pollMs: 5,
    backoffMs: 5,
  });
  return { ...made, failures, faults };
}

/** A notice each. */
async function change(world: World, webhookId: string, hosts: readonly string[]): Promise<void> {
  for (const host of hosts) {
    await world.store.webhooks.change(webhookId, null, { url: `https://${host}.example/` });
  }
}

async function prepared(world: World): Promise<string> {
  const { id } = await world.webhook("https://first.example/");
  // From here on; what was before is not posted.
  await change(world, id, ["before"]);
  await world.store.noticePosts.take("nobody", 0);
  return id;
}

test("each notice is posted in order, signed in both ways, and again until it is taken", async (t) => {
  const world = await sqliteWorld(t);
  const id = await prepared(world);
  const receiver = await startReceiver(t, (_, count) =>
    count === 1 ? 500 : count === 2 ? 302 : 204,
  );
  const { start, stop, failures, failure } = poster(t, world.store, receiver.url("/n/?a=1"), "a");
  start();
  await change(world, id, ["one", "two"]);
  await receiver.arrived(4);
  const [first, again, third, second] = receiver.arrivals;
  assert.ok(first && again && third && second);
  assert.deepEqual(
    failures.map(({ status, tries }) => [status, tries]),
    [
      [500, 1],
      [302, 2],
    ],
  );
  assert.equal(first.path, "/n/?a=1");
  assert.equal(first.event, "notice.webhook_url_changed");
  const [, notice] = await world.store.notices.list(0, 2, null);
  assert.ok(notice);
  const { time, payload } = JSON.parse(first.body) as { time: number; payload: object };
  assert.equal(time, Math.floor(notice.createdAt / 1000));
  assert.deepEqual(payload, { ...notice, createdAt: new Date(notice.createdAt).toISOString() });
  // The same notice under the same id, in another envelope; then the next one.
  const ids = receiver.arrivals.map(({ headers }) => headers.get("webhook-id"));
  assert.deepEqual(
    ids,
    [0, 0, 0, 1].map((more) => `notice_${notice.no + more}`),
  );
  assert.notEqual(first.body, again.body);
  for (const { body, headers } of receiver.arrivals) {
    assert.equal(headers.get("x-market-signature"), signBody(SECRET, body));
    const timestamp = Number(headers.get("webhook-timestamp"));
    const standard = signRequest(
      { current: SECRET },
      headers.get("webhook-id") ?? "",
      timestamp,
      body,
    ).standard;
    assert.equal(headers.get("webhook-signature"), standard);
  }
  assert.match(second.body, /two\.example/);
  while (failure() !== null) await new Promise((resolve) => setImmediate(resolve));
  await stop();
});

test("what was taken is not posted again by the next one, and what was not is", async (t) => {
  const world = await sqliteWorld(t);
  const id = await prepared(world);
  const receiver = await startReceiver(t, (_, count) => (count === 2 ? null : 200));
  const first = poster(t, world.store, receiver.url(), "a");
  await change(world, id, ["one", "two", "three"]);
  first.start();
  await receiver.arrived(2);
  const stopped = first.stop();
  // Its answer comes, but to nobody who goes on.
  receiver.answer(503);
  await stopped;
  receiver.answer(200);
  const second = poster(t, world.store, receiver.url(), "b");
  second.start();
  await receiver.arrived(4);
  await second.stop();
  const hosts = receiver.arrivals.map(({ body }) => toHost(body));
  assert.deepEqual(hosts, ["one", "two", "two", "three"]);
});

test("a notice whose time no date holds is posted, and the next one too", async (t) => {
  const world = await sqliteWorld(t);
  const id = await prepared(world);
  const receiver = await startReceiver(t);
  await change(world, id, ["one", "two"]);
  const { notices, noticePosts } = world.store;
  const list: typeof notices.list = async (...asked) =>
    (await notices.list(...asked)).map((notice) =>
      notice.detail["toHost"] === "one.example"
        ? Object.assign(notice, { createdAt: Number.MAX_SAFE_INTEGER })
        : notice,
    );
  const odd = { ...world.store, noticePosts, notices: { ...notices, list } };
  const { start, stop, faults } = poster(t, odd, receiver.url(), "a");
  start();
  await receiver.arrived(2);
  await stop();
  assert.deepEqual(faults, []);
});

test("while a post may still be answered no other instance begins with the same notice", async (t) => {
  const world = await sqliteWorld(t);
  const id = await prepared(world);
  const receiver = await startReceiver(t, null);
  const takes = { count: 0, at: 0, reached: (): void => undefined };
  const { noticePosts } = world.store;
  const take: typeof noticePosts.take = async (...asked) => {
    const taken = await noticePosts.take(...asked);
    takes.count += 1;
    if (takes.count === takes.at) takes.reached();
    return taken;
  };
  const counted = { ...world.store, noticePosts: { ...noticePosts, take } };
  const taking = (more: number): Promise<void> =>
    new Promise((resolve) => Object.assign(takes, { at: takes.count + more, reached: resolve }));
  const first = poster(t, counted, receiver.url(), "a");
  first.start();
  await taking(2);
  // A right that has just not been renewed.
  await world.store.advanceClock(9900);
  await taking(2);
  await change(world, id, ["one"]);
  await receiver.arrived(1);
  await world.store.advanceClock(14_000);
  const second = poster(t, counted, receiver.url(), "b");
  second.start();
  await Promise.race([taking(2), receiver.arrived(2)]);
  assert.equal(receiver.arrivals.length, 1);
  receiver.answer(200);
  await Promise.all([first.stop(), second.stop()]);
});

test("of two instances on PostgreSQL one posts, and the other goes on when it stops", async (t) => {
  const world = await postgresWorld(t);
  const id = await prepared(world);
  const receiver = await startReceiver(t);
  const other = await world.another();
  const posters = [
    poster(t, world.store, receiver.url(), "a"),
    poster(t, other, receiver.url(), "b"),
  ];
  for (const { start } of posters) start();
  const hosts = Array.from({ length: 20 }, (_, index) => `host-${index}`);
  await change(world, id, hosts.slice(0, 10));
  await receiver.arrived(10);
  await posters[0]?.stop();
  await change(world, id, hosts.slice(10));
  await receiver.arrived(20);
  await posters[1]?.stop();
  const posted = receiver.arrivals.map(({ body }) => toHost(body));
  assert.deepEqual(posted, hosts);
});

function toHost(body: string): string | undefined {
  return /"toHost":"([\w-]+)\.example"/.exec(body)?.[1];
}
