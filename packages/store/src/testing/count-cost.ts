import { REPLY_COLUMNS } from "../hot/attempt-counts.ts";
import type { CountScope } from "../port/attempt-counts.ts";
import type { Store } from "../port/store.ts";
import { costOnBoth, type Series, within } from "./cost-on-both.ts";

/**
 * Shows what a chart over 30 days costs with 1,000,000 deliveries of 100 webhooks of one owner, a row for each webhook
 * and hour: `node packages/store/src/testing/count-cost.ts`. Prints, asserts nothing.
 */
const WEBHOOKS = 100;
const HOURS = 720;
const PER_HOUR = 14;
const ASKED = 30;
const NOW = Math.floor(Date.now() / 3_600_000);
const SUMS = ["ok", "failed", "given_up", ...REPLY_COLUMNS];

function fill(series: Series): string[] {
  const row = (webhook: string, times: number): string =>
    [
      webhook,
      `${NOW} - i % ${HOURS}`,
      ...SUMS.map((_, at) => (at === 0 ? PER_HOUR * times : 1)),
    ].join(", ");
  const columns = ["webhook_no", "hour", ...SUMS].join(", ");
  return [
    `insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
     select i + 1, 'wh_' || i, 'r' || i, 'o', '', 'json', '', 'active', '', 0, 1, 1 from ${series(0, WEBHOOKS - 1)}`,
    `insert into attempt_history (${columns}) select ${row(`1 + i / ${HOURS}`, 1)} from ${series(0, WEBHOOKS * HOURS - 1)}`,
    `insert into attempt_history (${columns}) select ${row("0", WEBHOOKS)} from ${series(0, HOURS - 1)}`,
  ];
}

async function measure(name: string, store: Store): Promise<void> {
  const all: CountScope = { webhookNo: null, ownerId: null, resourceId: null };
  for (const [what, scope, stepHours] of [
    ["one webhook, by hour", { ...all, webhookNo: 1 }, 1],
    ["one webhook, by day", { ...all, webhookNo: 1 }, 24],
    ["an owner's 100 webhooks, by hour", { ...all, ownerId: "o" }, 1],
    ["an owner's 100 webhooks, by day", { ...all, ownerId: "o" }, 24],
    ["the service, by hour", all, 1],
  ] as const) {
    const times: number[] = [];
    let deliveries = 0;
    const before = process.cpuUsage();
    for (let round = 0; round < ASKED; round += 1) {
      const startedAt = performance.now();
      const range = { firstHour: NOW - HOURS + 1, stepHours, steps: HOURS / stepHours };
      const sums = await store.attemptCounts.sums(scope, range);
      times.push(performance.now() - startedAt);
      deliveries = sums.reduce((sum, { ok }) => sum + ok, 0);
    }
    const { user, system } = process.cpuUsage(before);
    console.log(
      `${name}, ${what}: ${deliveries} deliveries, p50 ${within(times, 0.5)} ms, slowest of ${ASKED} ${within(times, 1)} ms, CPU of this process ${((user + system) / 1000 / ASKED).toFixed(1)} ms each`,
    );
  }
}

await costOnBoth(fill, measure);
