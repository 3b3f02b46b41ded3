import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@markethook/client";
import { execute } from "@markethook/store/testing/postgres";
import { Ledger } from "../ledger.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { postgresPlace } from "../places.ts";
import { startRecordingReceiver } from "../recording-receiver.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";
import { size } from "../size.ts";
import { ALL_KINDS, type Kind, startLosingProxy } from "./losing-proxy.ts";

/** The connection is silent for so long before it reports; the longer ones are given up by us before that. */
const SILENCES_MS = size([300, 1000], [1000, 3000, 20_000, 60_000]);
const RATES = size([100], [5, 500]);
const WEBHOOKS = 2;

/** Committed, but the answer never comes: of every kind of write, one at a time and two at a time. */
async function settlesAll(t: TestContext, perSecond: number): Promise<void> {
  const place = await postgresPlace();
  const proxy = await startLosingProxy(place.url);
  const ledger = new Ledger();
  let secrets: string[] = [];
  let answerMs = 5;
  const receiver = await startRecordingReceiver(
    ledger,
    () => secrets,
    () => answerMs,
  );
  const env = {
    ...place.env,
    MARKETHOOK_DATABASE_URL: proxy.url,
    MARKETHOOK_RETRY_SCHEDULE: "1s,1s,1s,1s,1s,1s,1s,1s,1s,1s",
  };
  let service = await startServiceProcess(env);
  t.after(async () => {
    await service.kill();
    await receiver.close();
    await proxy.close();
    await place.drop();
  });
  ({ secrets } = await setUpMarketplace(
    service.address,
    apiKey,
    "castle",
    Array.from({ length: WEBHOOKS }, (_, no) => `${receiver.url}${no}`),
  ));

  let reporting = true;
  let user = 0;
  /** As a marketplace does: what was not answered is reported again, under the same keys. */
  async function report(): Promise<void> {
    const client = createClient({ baseUrl: service.address, apiKey, retries: 20 });
    const everyMs = 200;
    while (reporting) {
      const events = Array.from({ length: Math.ceil((perSecond * everyMs) / 1000) }, () => {
        user += 1;
        return {
          resourceId: "castle",
          event: "product.user.purchase" as const,
          user: { id: user },
          idempotencyKey: `order-${user}`,
        };
      });
      const [{ results, failed }] = await Promise.all([
        client.events.reportMany(events),
        pause(everyMs),
      ]);
      assert.equal(failed, 0);
      for (const [index, result] of results.entries()) {
        if ("eventId" in result) ledger.accept(`${user - events.length + index}`, result.eventId);
      }
    }
  }

  const lost: Kind[] = [];
  async function lose(kinds: readonly Kind[]): Promise<void> {
    await Promise.all(
      kinds.map(async (kind, index) => {
        const silentMs = SILENCES_MS[(lost.length + index) % SILENCES_MS.length] ?? 0;
        await proxy.lose(kind, silentMs);
        lost.push(kind);
      }),
    );
  }

  let reports = report();
  // Suspects are marked before they are sent: those that an unclean end left behind.
  const marks = proxy.lose("mark", 1000).then(() => lost.push("mark"));
  await untilArrived(ledger, 10);
  answerMs = 500;
  const arrived = ledger.arrivals.length;
  await untilArrived(ledger, arrived + 1);
  reporting = false;
  await reports;
  await service.kill();
  answerMs = 5;
  const killedAt = ledger.arrivals.length;
  service = await startServiceProcess(env);
  reporting = true;
  reports = report();
  await marks;
  const often = ALL_KINDS.filter((kind) => kind !== "mark" && kind !== "release");
  for (const kind of often) await lose([kind]);
  // A claim whose answer is lost leaves leases that nobody holds, which are released.
  await lose(["claim", "release"]);
  for (const kind of often) await lose([kind, kind]);
  reporting = false;
  await reports;

  const since = performance.now();
  const left = async (): Promise<number> =>
    Number(
      (
        await execute(
          place.url,
          "select (select count(*) from leased where seq > 0) + (select count(*) from pending where seq > 0) as left",
        )
      )[0]?.["left"],
    );
  while ((await left()) > 0) await pause(100);
  const took = performance.now() - since;
  t.diagnostic(
    `${lost.length} answers lost (${[...new Set(lost)].join(", ")}); ${user} events; settled ${Math.round(took)} ms after the last report`,
  );
  assert.equal(ledger.delivered, user * WEBHOOKS);
  assert.equal(ledger.eventIds.size, user, "each event is stored once");
  const twice = repeated(ledger, killedAt);
  assert.deepEqual(twice, [], "nothing that was answered is sent again");
  assert.deepEqual(ledger.violations, []);
}

async function untilArrived(ledger: Ledger, count: number): Promise<void> {
  while (ledger.arrivals.length < count) await pause(20);
}

/** Deliveries that were sent again after a 2xx. What was open at the kill may be. */
function repeated(ledger: Ledger, killedAt: number): string[] {
  const done = new Set<string>();
  const twice: string[] = [];
  for (const [at, { deliveryId, answered }] of ledger.arrivals.entries()) {
    if (done.has(deliveryId) && at >= killedAt) twice.push(deliveryId);
    if (answered === 204 && at >= killedAt) done.add(deliveryId);
  }
  return twice;
}

for (const perSecond of RATES) {
  test(`PostgreSQL, ${perSecond} events/s: whatever answers of commits are lost on the wire, everything is settled and nothing sent twice`, async (t) => {
    await settlesAll(t, perSecond);
  });
}
