import type { PoolClient } from "pg";
import {
  AUDIT_COLUMNS,
  type AuditEntry,
  type AuditKey,
  chainRows,
  type StoredAuditRow,
} from "../hot/audit-chain.ts";
import { warningAfterMs } from "../hot/webhook-health.ts";
import { type HealthChanges, healthChanges } from "../hot/health-changes.ts";
import { type FailureCount, failureCounts, healthByWebhook } from "../hot/health-signals.ts";
import { SYSTEM } from "../port/audit.ts";
import type { DisableRule, Settlement } from "../port/deliveries.ts";
import { int8Array } from "./binary-array.ts";
import { sharedSignals } from "./chat.ts";
import { type Column, columnList } from "./column-list.ts";

/** The health of a webhook was changed by another transaction while its failures were being counted. */
export class HealthChanged extends Error {
  override name = "HealthChanged";
}

/**
 * Stores the changes of a batch to the health of its webhooks, with a fixed number of statements for any number of
 * webhooks. Returns the webhooks whose state has changed.
 *
 * If all of the batch are failures in runs that are younger than the time to a warning, which is usual, they are only
 * counted. Reading and locking first takes two thirds of the time that it costs to store a failure. Any other batch locks
 * all its webhooks, and then their health. If it counted some failures before that, two batches could wait for each other.
 *
 * @throws HealthChanged only if `mayCount`. Then the transaction is repeated without it
 */
export async function recordHealth(
  client: PoolClient,
  owned: readonly Settlement[],
  rule: DisableRule,
  auditKey: AuditKey,
  mayCount: boolean,
): Promise<number[]> {
  const signals = healthByWebhook(owned, await sharedSignals(client, owned));
  if (signals.length === 0) return [];
  const failures = failureCounts(signals);
  const onlyFailures = failures.length === signals.length;
  if (mayCount && onlyFailures && (await countFailures(client, failures, rule))) return [];
  const { rows, now } = await readLocked(
    client,
    signals.map(([no]) => no),
    rule,
  );
  if (rows.size === 0) return [];
  const changes = healthChanges(signals, rows, rule, now);
  await saveHealth(client, changes.health);
  if (changes.recovered.length > 0) await beginPulls(client, changes.recovered);
  if (changes.states.length > 0) await saveStates(client, changes.states, now);
  if (changes.notices.length > 0) await saveNotices(client, changes.notices, now);
  await appendAudit(client, auditKey, changes.audit);
  return changes.states.map(({ webhookNo }) => webhookNo);
}

const FAILURES = columnList<FailureCount>({
  webhook_no: ["bigint", (one) => one.webhookNo],
  count: ["int", (one) => one.count],
  least: ["bigint", (one) => one.events[0]],
  most: ["bigint", (one) => one.events[1]],
  kind: ["smallint", (one) => one.badRequestKind],
});

/** A run of failures that is younger than the time to a warning. */
const YOUNG =
  "h.failing_since > (select mh_now()) - $6::bigint and h.first_failed_event is not null";

/**
 * Counts all of them or none; false means none. Locks the rows in ascending order, as every plan does that uses the
 * index.
 */
async function countFailures(
  client: PoolClient,
  failures: readonly FailureCount[],
  rule: DisableRule,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update webhook_health h set failed_attempts = h.failed_attempts + i.count, last_failure_at = (select mh_now()),
       several_events = greatest(h.several_events, (i.least <> h.first_failed_event or i.most <> h.first_failed_event)::int),
       bad_request_kind = case when h.bad_request_kind = i.kind then i.kind end
     from (select ${FAILURES.unnested}) as i (${FAILURES.names})
     where h.webhook_no = i.webhook_no and ${YOUNG}
       and (select count(*) from webhook_health h where h.webhook_no = any($1::bigint[]) and ${YOUNG}) = $7::int`,
    [...FAILURES.arrays(failures), warningAfterMs(rule), failures.length],
  );
  if (rowCount !== 0 && rowCount !== failures.length) throw new HealthChanged();
  return rowCount !== 0;
}

/**
 * Locks the webhooks that are not deleted, and reads their health in a second statement: a statement that has waited
 * for another instance's lock still sees other tables as they were when it began. The health is locked too, because
 * failures are counted without a lock on the webhook.
 */
async function readLocked(
  client: PoolClient,
  webhookNos: readonly number[],
  rule: DisableRule,
): Promise<{ rows: Map<number, Record<string, unknown>>; now: number }> {
  const nos = int8Array(webhookNos);
  const [locked, health] = await Promise.all([
    client.query<Record<string, unknown>>(
      `select no, id, owner_id, resource_id, url, state, reason, chat_target, (select mh_now()) as now from webhooks
       where no = any($1::bigint[]) and deleted_at is null order by no for no key update`,
      [nos],
    ),
    client.query<Record<string, unknown>>(
      `select h.*, case when h.bad_request_kind is not null then
           exists (select 1 from attempt_counts c where c.webhook_no = h.webhook_no and c.ok_events & ~(1 << h.bad_request_kind) <> 0)
           or exists (select 1 from accepted_events a
             where a.webhook_no = h.webhook_no and a.kind <> h.bad_request_kind and a.last_at > (select mh_now()) - $2::bigint)
         end as accepts_others
       from webhook_health h where h.webhook_no = any($1::bigint[]) order by h.webhook_no for no key update of h`,
      [nos, rule.acceptedWithinMs],
    ),
  ]);
  const rows = new Map(locked.rows.map((row) => [Number(row["no"]), row]));
  for (const row of health.rows) {
    const webhook = rows.get(Number(row["webhook_no"]));
    if (webhook !== undefined) Object.assign(webhook, row);
  }
  return { rows, now: Number(locked.rows.at(-1)?.["now"]) };
}

const HEALTH = columnList<HealthChanges["health"][number]>({
  webhook_no: ["bigint", (one) => one.webhookNo],
  failing_since: ["bigint", (one) => one.failingSince],
  failed_attempts: ["int", (one) => one.failedAttempts],
  first_failed_event: ["bigint", (one) => one.firstFailedEvent],
  several_events: ["smallint", (one) => (one.severalEvents ? 1 : 0)],
  bad_request_kind: ["smallint", (one) => one.badRequestKind],
  last_success_at: ["bigint", (one) => one.lastSuccessAt],
  last_failure_at: ["bigint", (one) => one.lastFailureAt],
  warned_at: ["bigint", (one) => one.warnedAt],
});

async function saveHealth(client: PoolClient, all: HealthChanges["health"]): Promise<void> {
  await client.query(
    `insert into webhook_health (${HEALTH.names}) select ${HEALTH.unnested}
     on conflict (webhook_no) do update set failing_since = excluded.failing_since, failed_attempts = excluded.failed_attempts,
       first_failed_event = excluded.first_failed_event, several_events = excluded.several_events,
       bad_request_kind = excluded.bad_request_kind, last_success_at = excluded.last_success_at,
       last_failure_at = excluded.last_failure_at, warned_at = excluded.warned_at`,
    HEALTH.arrays(all),
  );
}

const STATES = columnList<HealthChanges["states"][number]>({
  no: ["bigint", (one) => one.webhookNo],
  state: ["text", (one) => one.state],
  reason: ["text", (one) => one.reason],
  probe_at: ["bigint", (one) => one.probeAt],
});

async function saveStates(
  client: PoolClient,
  all: HealthChanges["states"],
  now: number,
): Promise<void> {
  await client.query(
    `update webhooks w set state = i.state, reason = i.reason, probe_at = i.probe_at, updated_at = $5
     from (select ${STATES.unnested}) as i (${STATES.names})
     where w.no = i.no`,
    [...STATES.arrays(all), now],
  );
}

const NOTICES = columnList<HealthChanges["notices"][number]>({
  kind: ["text", (one) => one.kind],
  owner_id: ["text", (one) => one.ownerId],
  resource_id: ["text", (one) => one.resourceId],
  webhook_id: ["text", (one) => one.webhookId],
  detail: ["text", (one) => one.detail],
});

async function saveNotices(
  client: PoolClient,
  all: HealthChanges["notices"],
  now: number,
): Promise<void> {
  await client.query(
    `insert into notices (${NOTICES.names}, created_at) select ${NOTICES.names}, $6
     from unnest(${NOTICES.casts}) with ordinality as i (${NOTICES.names}, place)
     order by place`,
    [...NOTICES.arrays(all), now],
  );
}

const AUDIT = columnList<StoredAuditRow>(
  Object.fromEntries(
    AUDIT_COLUMNS.map((name): [string, Column<StoredAuditRow>] => [
      name,
      name === "no" || name === "at"
        ? ["bigint", (row) => row[name]]
        : ["text", (row) => row[name]],
    ]),
  ),
);

/** For the service's own actions. The last statement of a transaction: it locks the head's row until the commit. */
async function appendAudit(
  client: PoolClient,
  key: AuditKey,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const last = await client.query("select no, hash from audit_head for update");
  const start = { no: Number(last.rows[0]?.["no"]), hash: String(last.rows[0]?.["hash"]) };
  const { rows, head } = chainRows(key, start, SYSTEM, entries);
  await client.query(
    `insert into audit (${AUDIT.names}) select ${AUDIT.unnested}`,
    AUDIT.arrays(rows),
  );
  await client.query("update audit_head set no = $1, hash = $2, mac = $3", [
    head.no,
    head.hash,
    head.mac,
  ]);
}

/** Begins to make waiting deliveries of recovered webhooks due. Does nothing if none waits, or it has begun already. */
async function beginPulls(client: PoolClient, webhookNos: readonly number[]): Promise<void> {
  await client.query(
    `insert into pulls (webhook_no, by_person, began_at, next_at, after_due_at, after_seq)
     select no, 0, clock.now, clock.now, clock.now, 0
     from unnest($1::bigint[]) no, (select mh_now() as now) clock
     where exists (select 1 from pending where webhook_no = no and due_at > clock.now)
     order by no
     on conflict (webhook_no) do nothing`,
    [int8Array(webhookNos)],
  );
}
