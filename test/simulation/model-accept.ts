import type {
  AcceptTransaction,
  KeyRow,
  DedupeKeyRow,
} from "../../packages/store/src/hot/accept-transaction.ts";
import type { ModelTables, OpenRow } from "./model-tables.ts";

const BLOCKED_MS = 1000;
const UNTRIED = { attempts: 0, step: 0, throttled: 0, suspicion: 0 };

/** What the plan of accepting, which all databases share, needs of this one. */
export function modelAccept(tables: ModelTables, now: () => number): AcceptTransaction {
  return {
    open(instanceNo, items) {
      const ids = new Set(items.map((item) => item.resourceId));
      const numbers = items.map(() => (tables.number += 1));
      return {
        held: instanceNo === null || tables.instanceNos.has(instanceNo),
        now: now(),
        resources: [...ids].flatMap((id) => tables.resources.get(id) ?? []),
        webhooks: [...tables.webhooks.values()]
          .filter(({ resourceId }) => ids.has(resourceId))
          .map((webhook) => {
            const { no, id, resourceId, ownerId, url, secret } = webhook;
            const { state, reason, health, updatedAt, chat } = webhook;
            const well =
              health === null
                ? updatedAt === 0
                : health.failingSince === null &&
                  (health.lastSuccessAt !== null || updatedAt === 0);
            const plain = state === "active" && reason === null && well && chat === null;
            return {
              no,
              resourceId,
              ownerId,
              mask: null,
              active: state === "active",
              plain: plain ? [no, id, resourceId, ownerId, url, secret] : null,
            };
          }),
        numbers,
      };
    },
    claimKeys: (rows) =>
      rows.flatMap((row): KeyRow[] => {
        const known = tables.keys.get(row.key);
        if (known === undefined) tables.keys.set(row.key, row);
        return known === undefined ? [] : [known];
      }),
    payloads: (seqs) =>
      new Map(
        seqs.flatMap((seq): [number, string][] => {
          const event = tables.events.get(seq);
          return event === undefined ? [] : [[seq, event.payload]];
        }),
      ),
    claimDedupeKeys: (rows) =>
      rows.flatMap((row): DedupeKeyRow[] => {
        const known = tables.dedupeKeys.get(row.dedupeKey);
        if (known === undefined) tables.dedupeKeys.set(row.dedupeKey, row);
        return known === undefined ? [] : [known];
      }),
    dropKeys: (keys) => keys.forEach((key) => tables.keys.delete(key)),
    dropDedupeKeys: (dedupeKeys) =>
      dedupeKeys.forEach((dedupeKey) => tables.dedupeKeys.delete(dedupeKey)),
    busy: (pairs) =>
      pairs.filter(({ webhookNo, orderKey }) => tables.openOf(webhookNo, orderKey).length > 0),
    write(rows) {
      for (const row of rows.resources) tables.resources.set(row.id, row);
      for (const row of rows.events) tables.events.set(row.seq, row);
      for (const row of rows.leased) {
        const open: OpenRow = { ...row, ...UNTRIED, lease: rows.lease };
        tables.addLeased({ ...open, instanceNo: rows.instanceNo ?? 0, started: false });
      }
      for (const { blocked, ...row } of rows.pending) {
        tables.addPending({
          ...row,
          ...UNTRIED,
          lease: rows.lease,
          dueAt: blocked ? rows.now + BLOCKED_MS : rows.now,
          blocked: blocked ? 1 : 0,
          suspectedIn: null,
        });
      }
    },
  };
}
