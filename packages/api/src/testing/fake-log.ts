import {
  deliveryId,
  MarkethookError,
  parseDeliveryId,
  type SenderProfile,
} from "@markethook/protocol";
import type { DeliveryDetail, DeliveryFilter, DeliveryLog, ReplayFilter } from "@markethook/store";

export interface FakeLog extends DeliveryLog {
  rows: (DeliveryDetail & { ownerId: string })[];
  senderProfiles: Map<number, SenderProfile>;
  profileReads: number;
}

export function createFakeLog(now: () => number): FakeLog {
  const rows: FakeLog["rows"] = [];
  const senderProfiles = new Map<number, SenderProfile>();

  function find(id: string, ownerId: string | null) {
    const row = rows.find((each) => each.deliveryId === id);
    return row !== undefined && (ownerId === null || row.ownerId === ownerId) ? row : null;
  }

  function again(row: FakeLog["rows"][number]): string {
    const seq = rows.length + 1;
    const tag = parseDeliveryId(row.deliveryId)?.tag ?? "";
    const id = deliveryId({ seq, tag });
    rows.push({
      ...row,
      seq,
      deliveryId: id,
      state: "pending",
      origin: "redelivery",
      attempts: 0,
      attemptRecords: [],
      dueAt: now(),
      createdAt: now(),
      endedAt: null,
    });
    return id;
  }

  function matching(filter: ReplayFilter) {
    return rows.filter(
      (row) =>
        row.webhookId === filter.webhookId &&
        row.createdAt >= filter.from &&
        row.createdAt < filter.to &&
        filter.states.some((state) => state === row.state) &&
        (filter.events === undefined || filter.events.includes(row.eventName)),
    );
  }

  function waiting(webhookId: string) {
    return rows.filter(
      (row) => row.webhookId === webhookId && row.state === "pending" && (row.dueAt ?? 0) > now(),
    );
  }

  const fake: FakeLog = {
    rows,
    senderProfiles,
    profileReads: 0,
    async list(filter, { beforeSeq, limit }) {
      const fitting = rows
        .filter((row) => (beforeSeq === null || row.seq < beforeSeq) && fits(row, filter))
        .sort((a, b) => b.seq - a.seq);
      const { text } = filter;
      const searched = { deliveries: fitting.length, backTo: fitting.at(-1)?.createdAt ?? null };
      const items = fitting
        .filter((row) => text === undefined || row.payload.includes(text))
        .slice(0, limit);
      return {
        items,
        nextSeq: items.length < limit ? null : (items.at(-1)?.seq ?? null),
        ...(text === undefined ? {} : { searched }),
      };
    },
    async find(id, ownerId) {
      return find(id, ownerId);
    },
    async watch(webhookNos) {
      const deliveries = rows.map((row) => ({
        seq: row.seq,
        webhookNo: webhookNos[0] ?? 0,
        mark: `${row.state} ${row.attempts}`,
        open: row.endedAt === null,
        waiting: row.state === "pending",
        createdAt: row.createdAt,
      }));
      return { now: now(), deliveries: webhookNos.length === 0 ? [] : deliveries, full: [] };
    },
    async summaries(seqs) {
      return rows
        .filter((row) => seqs.includes(row.seq))
        .map((row) => Object.assign({ webhookNo: 1 }, row));
    },
    async failures(webhookId) {
      const failed = rows.filter((row) => row.webhookId === webhookId && row.state === "dead");
      return {
        groups: failed.map((row) => ({
          outcome: row.lastOutcome ?? "",
          status: row.lastStatus,
          sent: true,
          reply: "",
          count: 1,
          givenUp: 1,
          firstAt: row.createdAt,
          lastAt: row.createdAt,
          deliveryId: row.deliveryId,
        })),
        others: 0,
        capped: false,
      };
    },
    async redeliver(id, ownerId, confirmed) {
      const row = find(id, ownerId);
      if (row === null) throw new MarkethookError("not_found");
      if (row.origin === "ping") throw new MarkethookError("delivery_is_ping");
      if (row.endedAt === null) throw new MarkethookError("delivery_not_ended");
      const overtaken = rows.some((each) => each.seq > row.seq && each.userId === row.userId);
      if (overtaken && !confirmed) throw new MarkethookError("redelivery_out_of_order");
      return { deliveryId: again(row) };
    },
    async sendNow(id, ownerId) {
      const row = find(id, ownerId);
      if (row === null) throw new MarkethookError("not_found");
      if (row.endedAt !== null) throw new MarkethookError("delivery_ended");
      if (row.state === "held") throw new MarkethookError("webhook_not_active");
      row.dueAt = now();
      return { deliveryId: id, earlier: 0 };
    },
    async countWaiting(webhookId) {
      return { count: waiting(webhookId).length, capped: false, sending: 0 };
    },
    async sendWaitingStep(webhookId, _ownerId, from, limit) {
      const found = waiting(webhookId).filter((row) => row.seq > (from?.seq ?? 0));
      const step = found.slice(0, limit);
      for (const row of step) row.dueAt = now();
      const last = step.at(-1);
      const next =
        last === undefined || found.length === step.length
          ? null
          : { beganAt: now(), dueAt: now(), seq: last.seq };
      return { sent: step.length, next };
    },
    async stopWaitingStep() {
      return 0;
    },
    async countReplay(filter) {
      return { count: matching(filter).length, capped: false };
    },
    async countMissing() {
      return { count: 0, outOfOrder: 0, capped: false };
    },
    async missingStep() {
      return { sent: 0, nextSeq: null };
    },
    async replayStep(filter, afterSeq, limit) {
      const found = matching(filter).filter((row) => row.seq > afterSeq);
      const step = found.slice(0, limit);
      for (const row of step) again(row);
      return {
        sent: step.length,
        nextSeq: found.length > step.length ? (step.at(-1)?.seq ?? null) : null,
      };
    },
    async reservePing() {
      return { seq: 1, deliverySeq: 128, webhookNo: 1 };
    },
    async recordPing() {},
    async profiles() {
      fake.profileReads += 1;
      return new Map(senderProfiles);
    },
    async ensureProfile(profile) {
      const number = senderProfiles.size + 1;
      senderProfiles.set(number, profile);
      return number;
    },
  };
  return fake;
}

function fits(row: FakeLog["rows"][number], filter: DeliveryFilter): boolean {
  return (
    (filter.ownerId === null || row.ownerId === filter.ownerId) &&
    (filter.resourceId === undefined || row.resourceId === filter.resourceId) &&
    (filter.webhookId === undefined || row.webhookId === filter.webhookId) &&
    (filter.eventName === undefined || row.eventName === filter.eventName) &&
    (filter.state === undefined || row.state === filter.state) &&
    (filter.status === undefined || row.lastStatus === filter.status) &&
    (filter.statusClass === undefined ||
      Math.floor((row.lastStatus ?? 0) / 100) === filter.statusClass) &&
    (filter.userId === undefined || row.userId === filter.userId) &&
    (filter.deliveryId === undefined || row.deliveryId === filter.deliveryId) &&
    (filter.eventId === undefined || row.eventId === filter.eventId) &&
    (filter.from === undefined || row.createdAt >= filter.from) &&
    (filter.to === undefined || row.createdAt < filter.to)
  );
}
