import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api/tokens";
import { createTestDatabase } from "@markethook/store/testing/postgres";
import { startCommand } from "../cli/command-process.ts";
import { Ledger } from "../ledger.ts";
import { call, setUpMarketplace } from "../marketplace.ts";
import { sqlitePlace } from "../places.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { startServiceProcess } from "../service-process.ts";

const BUYERS = 40;
/** So many have been answered when the service is killed. */
const BEFORE = 20;

test("a killed service on SQLite goes on from PostgreSQL: what waits arrives once and in order, and repeats are known", async (t) => {
  const place = await sqlitePlace();
  const database = await createTestDatabase();
  const ledger = new Ledger();
  const secrets: string[] = [];
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => 10,
  );
  const apiKey = makeApiKey(randomBytes);
  const env = {
    ...place.env,
    MARKETHOOK_BASE_URL: "https://market.example",
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    MARKETHOOK_RETRY_SCHEDULE: "60ms,60ms,60ms",
    MARKETHOOK_WEBHOOK_CONCURRENCY: "2",
  };
  const onPostgres = { ...env, MARKETHOOK_DATABASE_URL: database.url };
  const first = await startServiceProcess(env);
  const running = [first];
  t.after(async () => {
    for (const one of running) one.signal("SIGKILL");
    await receiver.close();
    await place.drop();
    await database.drop();
  });
  const urls = [`${receiver.url}a`, `${receiver.url}b`];
  const { webhookIds, secrets: made } = await setUpMarketplace(
    first.address,
    apiKey,
    "plugin",
    urls,
  );
  secrets.push(...made);
  const events = Array.from({ length: BUYERS }, (_, at) => at + 1).flatMap((id) =>
    ["purchase", "purchaseRemoved"].map((name) => ({
      resourceId: "plugin",
      event: `product.user.${name}`,
      user: { id },
      idempotencyKey: `${name}-${id}`,
    })),
  );
  const report = async (address: string) =>
    (await call(address, apiKey, "POST", "/events", { events }))["results"] as {
      status: string;
      eventId: string;
    }[];
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      receiver.onAnswered = () => {
        if (isDone()) resolve();
      };
    });

  const killed = until(() => ledger.delivered >= BEFORE);
  const accepted = await report(first.address);
  for (const [at, { eventId }] of accepted.entries()) ledger.accept(String(at), eventId);
  await killed;
  first.signal("SIGKILL");
  await first.exited;
  const begun = new Set(ledger.arrivals.map(({ deliveryId }) => deliveryId));
  assert.ok(begun.size < events.length * urls.length);

  const move = await startCommand(["move-to-postgresql", "--json"], { env: onPostgres }).ended;
  assert.equal(move.code, 0, move.stderr);
  const { moved, to, rows } = JSON.parse(move.stdout) as {
    moved: boolean;
    to: string;
    rows: Record<string, number>;
  };
  assert.deepEqual([moved, rows["events"]], [true, events.length]);
  assert.doesNotMatch(to, /postgres@/);
  const old = await startCommand(["serve"], { env: { ...env, MARKETHOOK_PORT: "0" } }).ended;
  assert.equal(old.code, 2);
  assert.match(old.stderr, /went to PostgreSQL at .*\[moved_to_postgresql\]/s);

  const all = until(() => ledger.delivered === events.length * urls.length);
  const second = await startServiceProcess(onPostgres);
  running.push(second);
  const again = await report(second.address);
  assert.ok(again.every(({ status }) => status === "duplicate"));
  assert.deepEqual(
    again.map(({ eventId }) => eventId),
    accepted.map(({ eventId }) => eventId),
  );
  await all;
  assert.deepEqual(ledger.violations, []);
  assert.deepEqual(ledger.missing(webhookIds), []);
  const later = ledger.arrivals.filter(
    ({ deliveryId, answered }) => !begun.has(deliveryId) && answered === 204,
  );
  assert.equal(later.length, new Set(later.map(({ deliveryId }) => deliveryId)).size);
});
