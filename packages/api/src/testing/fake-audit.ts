import type {
  AuditActor,
  AuditRow,
  AuditStore,
  ErasureStep,
  ErasureStore,
} from "@markethook/store";

export interface FakeAudit extends AuditStore {
  rows: AuditRow[];
  /** In whose names the store was asked for. */
  actors: AuditActor[];
}

export function createFakeAudit(): FakeAudit {
  const rows: AuditRow[] = [];
  return {
    rows,
    actors: [],
    async list({ ownerId, resourceId, subjectKinds }, { beforeNo, limit }) {
      return rows
        .filter((row) => ownerId === null || row.ownerId === ownerId)
        .filter((row) => resourceId === undefined || row.resourceId === resourceId)
        .filter((row) => subjectKinds === undefined || subjectKinds.includes(row.subject.kind))
        .filter((row) => beforeNo === null || row.no < beforeNo)
        .sort((a, b) => b.no - a.no)
        .slice(0, limit);
    },
    async verify() {
      return {
        checked: rows.length,
        nextNo: null,
        head: { no: rows.length, hash: "" },
        broken: null,
      };
    },
  };
}

/** Three steps, the second of which starts over because something was on its way. */
export function createFakeErasure(): ErasureStore {
  const step: ErasureStep = {
    events: 1,
    deliveries: 2,
    cancelled: 0,
    open: 0,
    examined: 10,
    next: null,
  };
  const start = { phase: "events", afterKey: "", againFrom: null } as const;
  async function run(_userId: number, position: { afterSeq: number } | null): Promise<ErasureStep> {
    if (position === null) return { ...step, next: { ...start, afterSeq: 100 } };
    if (position.afterSeq === 100) return { ...step, open: 1, next: { ...start, afterSeq: 50 } };
    return step;
  }
  return { nameOf: (userId) => `user-${userId}`, step: run, count: run, finish: async () => {} };
}
