import { createHmac } from "node:crypto";
import { auditKeyOf } from "../../packages/store/src/hot/audit-chain.ts";
import { endStateOf } from "../../packages/store/src/hot/kinds.ts";
import { instanceOf } from "../../packages/store/src/hot/rows.ts";
import { hostOf } from "../../packages/store/src/management/webhooks/webhook-address.ts";
import { toSendable } from "../../packages/store/src/management/webhooks/sendable-webhook.ts";
import { Connection } from "../../packages/store/src/sqlite/connection.ts";
import { migrate } from "../../packages/store/src/sqlite/migrate.ts";
import { createOperations } from "../../packages/store/src/sqlite/operations.ts";
import { undoUncleanEnd } from "../../packages/store/src/sqlite/rescue.ts";
import {
  receiveAccepted,
  sendItem,
  sendSettlement,
} from "../../packages/store/src/sqlite/rows-between-threads.ts";
import type { Backend } from "./backend.ts";
import { NO_ENCRYPTION } from "./no-encryption.ts";

const DEDUPE_SECRET = createHmac("sha256", "simulation").digest();

/**
 * The statements that SQLite really runs, in memory and on this thread. `shared`: other instances may be alive, so that a
 * start ends no other instance; all else of a start is as on PostgreSQL then.
 */
export function sqliteBackend(now: () => number, baseUrl: string, shared: boolean): Backend {
  // The clock's two parts: it starts at 0 and goes on.
  const db = new Connection(
    ":memory:",
    () => now(),
    () => now(),
  );
  migrate(db);
  db.loadCounters();
  const operations = createOperations(db, { baseUrl });
  const auditKey = auditKeyOf(DEDUPE_SECRET);
  const count = (sql: string): number => Number(db.get(sql)?.["count"]);

  function startBeside(name: string, version: string, survived: number | null): number {
    return db.transaction(() => {
      if (survived !== null) {
        db.run("update instances set survived = 1 where instance_no = ?", survived);
        undoUncleanEnd(db, survived);
      }
      const instanceNo = db.takeInstanceNo();
      db.run(
        "insert into instances (instance_no, name, version, started_at, renewed_at) values (?, ?, ?, ?, ?)",
        instanceNo,
        name,
        version,
        db.now(),
        db.now(),
      );
      return instanceNo;
    });
  }

  return {
    accept: async (items, budget) =>
      receiveAccepted(await operations.accept(items.map(sendItem), budget)),
    claim: (request) => operations.claim(request),
    claimProbes: (instanceNo, limit, everyMs) =>
      operations.claimProbes(instanceNo, limit, everyMs).deliveries,
    settle: (instanceNo, settlements, rule) =>
      operations.settle(instanceNo, settlements.map(sendSettlement), rule, auditKey),
    markStarted: (instanceNo, leases) => operations.markStarted(instanceNo, leases),
    rescue: (silent) => operations.rescue(silent),
    releaseForgotten: (instanceNo, held) => operations.releaseForgotten(instanceNo, held),
    cancelMarked: (limit) => operations.cancelMarked(limit),
    startInstance: (name, version, survived) =>
      shared
        ? { instanceNo: startBeside(name, version, survived), givenBack: null }
        : operations.startInstance(name, version, survived),
    renewInstance: (instanceNo, networkSuspected) =>
      operations.renewInstance(instanceNo, networkSuspected),
    endInstance: (instanceNo) => operations.endInstance(instanceNo),
    instances: () => db.all("select * from instances order by instance_no").map(instanceOf),
    forSending: (nos) =>
      db
        .all(
          `select w.*, h.failing_since, h.last_success_at, mh_now() as now
           from webhooks w left join webhook_health h on h.webhook_no = w.no
           where w.no in (select value from json_each(?)) order by w.no`,
          JSON.stringify(nos),
        )
        // The columns are those that the service asks for, and more.
        .map((row) =>
          toSendable(row as unknown as Parameters<typeof toSendable>[0], NO_ENCRYPTION),
        ),

    addResource({ id, ownerId }) {
      db.run(
        `insert into resources (id, owner_id, title, subtitle, created_at, updated_at)
         values (?, ?, 'Castle', 'A map', 0, 0)`,
        id,
        ownerId,
      );
    },
    addWebhook({ no, id, resourceId, ownerId, url, secret, failingSince, chat }) {
      db.run(
        `insert into webhooks (no, id, resource_id, owner_id, url, host, shown_url, format, chat_options, chat_target, description,
           state, secret, secret_is_text, created_at, updated_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 'active', ?, 0, 0, 0)`,
        no,
        id,
        resourceId,
        ownerId,
        url,
        hostOf(url),
        url,
        chat === null ? "json" : "discord",
        chat?.options ?? null,
        chat?.target ?? null,
        secret,
      );
      if (failingSince === null) return;
      db.run(
        "insert into webhook_health (webhook_no, failing_since, failed_attempts, several_events) values (?, ?, 1, 0)",
        no,
        failingSince,
      );
    },

    deliveryOf(webhookNo, eventSeq) {
      const row = db.get(
        `select d.seq, d.attempts, e.tag from events e join (
           select seq, event_seq, webhook_no, attempts from leased
           union all select seq, event_seq, webhook_no, attempts from pending
           union all select seq, event_seq, webhook_no, attempts from ended) d on d.event_seq = e.seq
         where e.seq = ? and d.webhook_no = ?`,
        eventSeq,
        webhookNo,
      );
      if (row === undefined) throw new Error(`no delivery of ${eventSeq}`);
      return {
        seq: Number(row["seq"]),
        tag: String(row["tag"]),
        attempts: Number(row["attempts"]),
      };
    },
    holderOf(seq) {
      const instanceNo = db.get("select instance_no from leased where seq = ?", seq)?.[
        "instance_no"
      ];
      return instanceNo === undefined ? null : Number(instanceNo);
    },
    suspicionOf: (seq) =>
      Number(db.get("select suspicion from leased where seq = ?", seq)?.["suspicion"] ?? 0),
    // By the event's own buyer: an order key may have been lost, which is what is looked for.
    hasEarlierOpen: (webhookNo, userId, seq) =>
      db.get(
        `with open as (
           select event_seq from leased where webhook_no = ?1 and seq < ?3
           union all select event_seq from pending where webhook_no = ?1 and seq < ?3)
         select 1 from open join events e on e.seq = open.event_seq where e.user_id = ?2 limit 1`,
        webhookNo,
        userId,
        seq,
      ) !== undefined,
    hasInstance: (instanceNo) =>
      db.get("select 1 from instances where instance_no = ?", instanceNo) !== undefined,
    failingSince(no) {
      const row = db.get("select failing_since from webhook_health where webhook_no = ?", no);
      return row?.["failing_since"] == null ? null : Number(row["failing_since"]);
    },
    now,
    countOpen: () =>
      count("select (select count(*) from leased) + (select count(*) from pending) as count"),
    countEvents: () => count("select count(*) as count from events"),
    ended: () =>
      db.all("select seq, event_seq, webhook_no, state, attempts from ended").map((row) => ({
        seq: Number(row["seq"]),
        eventSeq: Number(row["event_seq"]),
        webhookNo: Number(row["webhook_no"]),
        state: endStateOf(Number(row["state"])),
        attempts: Number(row["attempts"]),
      })),
    copyToStandby: null,
    close: () => db.close(),
  };
}
