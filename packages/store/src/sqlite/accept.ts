import type {
  AcceptTransaction,
  AcceptWrites,
  DedupeKeyRow,
  NewDelivery,
  OpenedAccept,
} from "../hot/accept-transaction.ts";
import { PLAIN_WEBHOOK_COLUMNS } from "../management/webhooks/sendable-webhook.ts";
import { fanOutRow, resourceRow } from "../hot/rows.ts";
import type { Connection } from "./connection.ts";
import type { Keys } from "./idempotency-keys.ts";

const WEBHOOKS = `select w.no, w.resource_id, w.owner_id, w.mask, w.state, w.cancel_before, ${PLAIN_WEBHOOK_COLUMNS}
  from json_each(?) i cross join webhooks w on w.resource_id = i.value and w.deleted_at is null`;

const HAS_OPEN = `select 1 where exists (select 1 from leased where webhook_no = ?1 and order_key = ?2)
  or exists (select 1 from pending where webhook_no = ?1 and order_key = ?2)`;

/**
 * A single writer needs no locks: everything that is read here stays true until the commit. One statement reads all
 * data for a batch, because running a statement takes several times as long as reading a row. Its `cross join` fixes
 * the order of the look-ups.
 */
export function acceptTransaction(db: Connection, keys: Keys): AcceptTransaction {
  return {
    open(instanceNo, items): OpenedAccept {
      const resourceIds = JSON.stringify([...new Set(items.map((item) => item.resourceId))]);
      const held =
        instanceNo === null || db.has("select 1 from instances where instance_no = ?", instanceNo);
      const resources = db.lists(
        `select r.id, r.owner_id, r.title, r.subtitle, r.file_version
         from json_each(?) i cross join resources r on r.id = i.value and r.deleted_at is null`,
        resourceIds,
      );
      const webhooks = db.lists(WEBHOOKS, resourceIds);
      return {
        held,
        now: db.now(),
        resources: resources.map(resourceRow),
        webhooks: webhooks.map(fanOutRow).sort((one, other) => one.no - other.no),
        numbers: db.takeNumbers(items.length),
      };
    },

    claimKeys: (rows) => keys.claim(rows),

    payloads(eventSeqs) {
      const rows = db.lists(
        "select e.seq, e.payload from json_each(?) i cross join events e on e.seq = i.value",
        JSON.stringify(eventSeqs),
      );
      return new Map(rows.map(([seq, payload]) => [Number(seq), String(payload)]));
    },

    claimDedupeKeys(rows) {
      return rows.flatMap((row): DedupeKeyRow[] => {
        const inserted = db.run(
          "insert into first_downloads (dedupe_key, event_seq, tag) values (?, ?, ?) on conflict do nothing",
          row.dedupeKey,
          row.eventSeq,
          row.tag,
        );
        if (inserted > 0) return [];
        const known = db.get(
          "select event_seq, tag from first_downloads where dedupe_key = ?",
          row.dedupeKey,
        );
        return [
          {
            dedupeKey: row.dedupeKey,
            eventSeq: Number(known?.["event_seq"]),
            tag: String(known?.["tag"]),
          },
        ];
      });
    },

    dropKeys: (names) => keys.drop(names),

    dropDedupeKeys(dedupeKeys) {
      for (const dedupeKey of dedupeKeys)
        db.write("delete from first_downloads where dedupe_key = ?", dedupeKey);
    },

    busy: (pairs) =>
      pairs.filter(({ webhookNo, orderKey }) => db.has(HAS_OPEN, webhookNo, orderKey)),

    write(rows) {
      write(db, rows);
      keys.move(rows.events.length);
    },
  };
}

function write(db: Connection, rows: AcceptWrites): void {
  const { now } = rows;
  for (const row of rows.resources) {
    db.write(
      `insert into resources (id, owner_id, title, subtitle, file_version, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update set owner_id = excluded.owner_id, title = excluded.title,
         subtitle = excluded.subtitle, file_version = excluded.file_version,
         updated_at = excluded.updated_at, deleted_at = null`,
      row.id,
      row.ownerId,
      row.title,
      row.subtitle,
      row.fileVersion === null ? null : JSON.stringify(row.fileVersion),
      now,
      now,
    );
  }
  for (const row of rows.events) {
    db.write(
      `insert into events (seq, tag, resource_id, kind, time, user_id, payload, details, accepted_at, touched_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.seq,
      row.tag,
      row.resourceId,
      row.kind,
      row.time,
      row.userId,
      row.payload,
      row.details,
      now,
      now,
    );
  }
  for (const row of rows.leased) {
    db.write(
      `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, lease, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...common(row),
      rows.instanceNo,
      rows.lease,
      now,
    );
  }
  for (const row of rows.pending) {
    db.write(
      `insert into pending (seq, event_seq, webhook_no, kind, order_key, lease, due_at, blocked, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...common(row),
      rows.lease,
      row.blocked ? now + 1000 : now,
      row.blocked ? 1 : 0,
      now,
    );
  }
}

function common(row: NewDelivery): [number, number, number, number, number | null] {
  return [row.seq, row.eventSeq, row.webhookNo, row.kind, row.orderKey];
}
