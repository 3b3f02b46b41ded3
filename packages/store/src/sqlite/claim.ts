import { queuedDelivery, number } from "../hot/rows.ts";
import { SUSPECT_ALONE_FROM } from "../hot/suspicion.ts";
import {
  LEASED_TOO,
  readOne,
  UNREADABLE_WAIT_MS,
  type UnreadableDelivery,
} from "../hot/unreadable.ts";
import type { ClaimOutcome, ClaimRequest, LeaseName, QueuedDelivery } from "../port/deliveries.ts";
import { LeaseLostError } from "../port/instances.ts";
import type { Connection, Row } from "./connection.ts";

/** Quarantined deliveries stay so. Other suspects count as such only for some time after the end of their process. */
const LEVEL_NOW = `case when q.suspicion > ${SUSPECT_ALONE_FROM} or ? < (select healthy_at from unclean_end) then q.suspicion else 0 end`;
const EARLIER = ["leased", "pending"].map(
  (table) => `select 1 from ${table} where webhook_no = ? and order_key = ? and seq < ? limit 1`,
);
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * A loose index scan: from webhook to webhook through the index, a few due rows of each. "Oldest first" would give
 * everything to the webhook with the largest backlog.
 */
export function claim(
  db: Connection,
  request: ClaimRequest,
): ClaimOutcome & Pick<Taken, "unreadable"> {
  return db.transaction(() => {
    lockInstance(db, request.instanceNo);
    const now = db.now();
    const taken: Taken = { deliveries: [], blocked: [], unreadable: [] };
    const hinted = request.hints.map((hint) => hint.webhookNo);
    const fullHinted = fullAmong(hinted, request);
    for (const hint of request.hints) {
      if (fullHinted.has(hint.webhookNo) || !isActive(db, hint.webhookNo)) continue;
      const row = db.get(
        `select seq, webhook_no, order_key, blocked, due_at from pending
         where webhook_no = ? and order_key = ? order by seq limit 1`,
        hint.webhookNo,
        hint.orderKey,
      );
      if (row === undefined) continue;
      if (Number(row["blocked"]) === 0 && Number(row["due_at"]) > now) continue;
      take(db, row, request.instanceNo, now, taken);
    }
    const visited = nextWebhooks(db, request);
    const full = fullAmong(visited, request);
    for (const no of visited) {
      if (full.has(no) || !isActive(db, no)) continue;
      for (const row of db.all(
        `select seq, webhook_no, order_key, blocked from pending
         where webhook_no = ? and due_at <= ? order by due_at, seq limit ?`,
        no,
        now,
        request.perWebhook,
      )) {
        take(db, row, request.instanceNo, now, taken);
      }
    }
    const cursor = visited.length < request.webhooks ? 0 : (visited.at(-1) ?? 0);
    return { ...taken, cursor, visited: visited.length };
  });
}

/** Those of these webhooks that are full. The list of all that are full may be far longer. */
function fullAmong(nos: readonly number[], { full }: ClaimRequest): Set<number> {
  const asked = new Set(nos);
  return new Set(full.filter((no) => asked.has(no)));
}

/** The next webhooks of the circle, of those that have rows. */
function nextWebhooks(db: Connection, { cursor, webhooks }: ClaimRequest): number[] {
  const nos: number[] = [];
  for (let after = cursor; nos.length < webhooks;) {
    const next = db.get(
      "select webhook_no from pending where webhook_no > ? order by webhook_no limit 1",
      after,
    );
    if (next === undefined) break;
    after = Number(next["webhook_no"]);
    nos.push(after);
  }
  return nos;
}

export function claimProbes(
  db: Connection,
  instanceNo: number,
  limit: number,
  everyMs: number,
): Pick<Taken, "deliveries" | "unreadable"> {
  return db.transaction(() => {
    lockInstance(db, instanceNo);
    const now = db.now();
    const taken: Taken = { deliveries: [], blocked: [], unreadable: [] };
    // None is planned for later, unless the clock was set back.
    db.run(
      `update webhooks set probe_at = ?
       where no in (select no from webhooks where probe_at > ? order by probe_at limit ?)`,
      now,
      now + everyMs,
      limit,
    );
    // The sign keeps the planner from the index by state, which would read all disabled webhooks.
    for (const { no } of db.all(
      `select no from webhooks where probe_at <= ? and +state = 'disabled' and reason = 'failing'
         and deleted_at is null and cancel_before is null order by probe_at limit ?`,
      now,
      limit,
    )) {
      db.run("update webhooks set probe_at = ? where no = ?", now + everyMs, Number(no));
      const oldest = db.get(
        `select order_key from pending where webhook_no = ? order by due_at, seq limit 1`,
        Number(no),
      );
      if (oldest === undefined) continue;
      const head = db.get(
        `select seq, webhook_no, order_key, blocked from pending
         where webhook_no = ? and order_key is ? order by seq limit 1`,
        Number(no),
        number(oldest["order_key"]),
      );
      if (head !== undefined) take(db, head, instanceNo, now, taken, true);
    }
    return taken;
  });
}

export function markStarted(
  db: Connection,
  instanceNo: number,
  leases: readonly LeaseName[],
): number[] {
  return db.transaction(() =>
    leases.flatMap(({ seq, lease }) =>
      db.run(
        "update leased set started = 1 where seq = ? and lease = ? and instance_no = ?",
        seq,
        lease,
        instanceNo,
      ) > 0
        ? [seq]
        : [],
    ),
  );
}

function lockInstance(db: Connection, instanceNo: number): void {
  if (!db.has("select 1 from instances where instance_no = ?", instanceNo))
    throw new LeaseLostError(instanceNo);
}

function isActive(db: Connection, webhookNo: number): boolean {
  return db.has(
    "select 1 from webhooks where no = ? and state = 'active' and deleted_at is null and cancel_before is null",
    webhookNo,
  );
}

interface Taken extends Pick<ClaimOutcome, "deliveries" | "blocked"> {
  unreadable: UnreadableDelivery[];
}

/** Moves a row to `leased`. If an earlier one of its order key is open, it is checked again later. */
function take(
  db: Connection,
  row: Row,
  instanceNo: number,
  now: number,
  { deliveries, blocked: behind, unreadable }: Taken,
  probe = false,
): void {
  const seq = Number(row["seq"]);
  if (row["order_key"] !== null && isBlocked(db, row)) {
    const blocked = Number(row["blocked"]);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** blocked, LONGEST_WAIT_MS);
    db.run(
      "update pending set blocked = min(blocked + 1, 5), due_at = ? where seq = ?",
      now + wait,
      seq,
    );
    behind.push({ webhookNo: Number(row["webhook_no"]), orderKey: Number(row["order_key"]) });
    return;
  }
  // Before its row is deleted: an unreadable one stays where it is.
  const delivery = readOne(
    { seq, webhookNo: Number(row["webhook_no"]) },
    () => {
      const read = readDelivery(db, seq, now, probe);
      if (!lease(db, seq, instanceNo)) throw new TypeError(LEASED_TOO);
      return read;
    },
    unreadable,
  );
  if (delivery === null) {
    db.run("update pending set due_at = ? where seq = ?", now + UNREADABLE_WAIT_MS, seq);
    return;
  }
  db.run("delete from pending where seq = ?", seq);
  deliveries.push(delivery);
  if (delivery.orderKey !== null && isFollowed(db, delivery)) {
    behind.push({ webhookNo: delivery.webhookNo, orderKey: delivery.orderKey });
  }
}

/** False: a row of this number is there already. */
function lease(db: Connection, seq: number, instanceNo: number): boolean {
  const inserted = db.run(
    `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, lease, attempts, step, throttled, suspicion, origin, created_at, planned_at)
     select seq, event_seq, webhook_no, kind, order_key, ?, lease + 1, attempts, step, throttled, suspicion, origin, created_at, planned_at
     from pending where seq = ? on conflict do nothing`,
    instanceNo,
    seq,
  );
  return inserted > 0;
}

/** Reads it with the lease that it is about to get. */
function readDelivery(db: Connection, seq: number, now: number, probe: boolean): QueuedDelivery {
  const row = db.get(
    `select q.*, q.lease + 1 as lease, ${LEVEL_NOW} as suspicion, coalesce(q.planned_at > ?, 0) as early, e.tag, e.time, e.payload
     from pending q left join events e on e.seq = q.event_seq where q.seq = ?`,
    now,
    now,
    seq,
  );
  return queuedDelivery(row ?? {}, probe);
}

/** The claim of the earlier one names the later one to be woken; the process that accepted it may be gone. */
function isFollowed(db: Connection, { webhookNo, orderKey, seq }: QueuedDelivery): boolean {
  return db.has(
    "select 1 from pending where webhook_no = ? and order_key = ? and seq > ? limit 1",
    webhookNo,
    orderKey,
    seq,
  );
}

function isBlocked(db: Connection, row: Row): boolean {
  const values = [Number(row["webhook_no"]), Number(row["order_key"]), Number(row["seq"])] as const;
  return EARLIER.some((sql) => db.has(sql, ...values));
}
