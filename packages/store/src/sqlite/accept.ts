import type {
  AcceptTransaction,
  AcceptWrites,
  FactRow,
  KeyRow,
  NewDelivery,
  OpenedAccept,
} from "../hot/accept-transaction.ts";
import { SENDABLE_COLUMNS } from "../hot/sendable-row.ts";
import type { OrderPair } from "../port/deliveries.ts";
import { fanOutRow, resourceRow } from "../hot/rows.ts";
import type { Connection } from "./connection.ts";

const SENDABLE = `select ${SENDABLE_COLUMNS.join(", ")}, ?2 from webhooks w
  left join webhook_health h on h.webhook_no = w.no where w.no = ?1`;

/** A single writer needs no locks: whatever is read here stays true until the commit. */
export function acceptTransaction(db: Connection): AcceptTransaction {
  return {
    open(life, items): OpenedAccept {
      const resourceIds = [...new Set(items.map((item) => item.resourceId))];
      const held =
        life === null || db.get("select 1 from instances where life = ?", life) !== undefined;
      const resources = resourceIds.flatMap((id) =>
        db.lists(
          "select id, owner_id, title, subtitle, file_version from resources where id = ? and deleted_at is null",
          id,
        ),
      );
      const webhooks = resourceIds.flatMap((id) =>
        db.lists(
          `select no, resource_id, owner_id, mask, state, cancel_before from webhooks
           where resource_id = ? and deleted_at is null order by no`,
          id,
        ),
      );
      return {
        held,
        now: db.now(),
        resources: resources.map(([id, ownerId, title, subtitle, version]) =>
          resourceRow(id, ownerId, title, subtitle, version),
        ),
        webhooks: webhooks.map(([no, resourceId, ownerId, mask, state, cancelBefore]) =>
          fanOutRow(no, resourceId, ownerId, mask, state, cancelBefore),
        ),
        numbers: db.takeNumbers(items.length),
      };
    },

    claimKeys(rows) {
      return rows.flatMap((row): KeyRow[] => {
        const inserted = db.run(
          `insert into idempotency_keys (key, body_hash, event_seq, tag, created_at)
           values (?, ?, ?, ?, ?) on conflict do nothing`,
          row.key,
          row.bodyHash,
          row.eventSeq,
          row.tag,
          db.now(),
        );
        if (inserted > 0) return [];
        const known = db.get(
          "select body_hash, event_seq, tag from idempotency_keys where key = ?",
          row.key,
        );
        return [
          {
            key: row.key,
            bodyHash: String(known?.["body_hash"]),
            eventSeq: Number(known?.["event_seq"]),
            tag: String(known?.["tag"]),
          },
        ];
      });
    },

    claimFacts(rows) {
      return rows.flatMap((row): FactRow[] => {
        const inserted = db.run(
          "insert into first_downloads (fact, event_seq, tag) values (?, ?, ?) on conflict do nothing",
          row.fact,
          row.eventSeq,
          row.tag,
        );
        if (inserted > 0) return [];
        const known = db.get("select event_seq, tag from first_downloads where fact = ?", row.fact);
        return [
          { fact: row.fact, eventSeq: Number(known?.["event_seq"]), tag: String(known?.["tag"]) },
        ];
      });
    },

    dropKeys(keys) {
      for (const key of keys) db.write("delete from idempotency_keys where key = ?", key);
    },

    dropFacts(facts) {
      for (const fact of facts) db.write("delete from first_downloads where fact = ?", fact);
    },

    busy(pairs) {
      return pairs.filter((pair): pair is OrderPair => hasOpen(db, pair.webhookNo, pair.orderKey));
    },

    sendable(nos, now) {
      return nos.flatMap((no) => db.lists(SENDABLE, no, now));
    },

    write(rows) {
      write(db, rows);
    },
  };
}

function hasOpen(db: Connection, webhookNo: number, orderKey: number): boolean {
  return (
    db.get(
      `select 1 where exists (select 1 from live where webhook_no = ?1 and order_key = ?2)
         or exists (select 1 from waiting where webhook_no = ?1 and order_key = ?2)`,
      webhookNo,
      orderKey,
    ) !== undefined
  );
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
  for (const row of rows.live) {
    db.write(
      `insert into live (seq, event_seq, webhook_no, kind, order_key, life, created_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
      ...common(row),
      rows.life,
      now,
    );
  }
  for (const row of rows.waiting) {
    db.write(
      `insert into waiting (seq, event_seq, webhook_no, kind, order_key, due_at, blocked, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...common(row),
      row.blocked ? now + 1000 : now,
      row.blocked ? 1 : 0,
      now,
    );
  }
}

function common(row: NewDelivery): [number, number, number, number, number | null] {
  return [row.seq, row.eventSeq, row.webhookNo, row.kind, row.orderKey];
}
