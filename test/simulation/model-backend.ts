import { acceptInTransaction } from "../../packages/store/src/hot/accept.ts";
import { HEALTHY } from "../../packages/store/src/hot/webhook-health.ts";
import { eventNameOf } from "../../packages/store/src/hot/kinds.ts";
import { SUSPECT_ALONE_FROM } from "../../packages/store/src/hot/suspicion.ts";
import { hostOf } from "../../packages/store/src/management/webhooks/webhook-address.ts";
import { toSendable } from "../../packages/store/src/management/webhooks/sendable-webhook.ts";
import {
  type ClaimOutcome,
  type ClaimRequest,
  LeaseLostError,
  type QueuedDelivery,
} from "@markethook/store";
import type { Backend, LostCommits } from "./backend.ts";
import { modelAccept } from "./model-accept.ts";
import { modelGiveBack, modelRelease, modelSettle, modelUndoUncleanEnd } from "./model-settle.ts";
import { ModelTables, type PendingRow, type WebhookModel } from "./model-tables.ts";
import { NO_ENCRYPTION } from "./no-encryption.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const MOST_BLOCKED = 5;

/**
 * The database as its port describes it, in plain lists: a second opinion on the statements, and quicker. The plan of
 * accepting and the rules of health and suspicion are the real ones.
 */
export function modelBackend(
  now: () => number,
  baseUrl: string,
  shared: boolean,
  leaseAfter: (last: number) => number = (last) => last + 1,
): Backend {
  const tables = new ModelTables();
  const accept = modelAccept(tables, now);

  function startInstance(survived: number | null) {
    if (shared && survived !== null) {
      const instanceNo = tables.instanceNos.get(survived);
      if (instanceNo !== undefined) instanceNo.survived = true;
      modelUndoUncleanEnd(tables, survived);
    }
    tables.instanceNo += 1;
    const instanceNo = tables.instanceNo;
    const ended = shared ? [] : [...tables.instanceNos.keys()];
    for (const one of ended) tables.instanceNos.delete(one);
    tables.instanceNos.set(instanceNo, {
      renewedAt: now(),
      networkSuspected: false,
      survived: false,
    });
    if (shared) return { instanceNo, givenBack: null };
    const givenBack = modelGiveBack(tables, survived === null ? [] : [survived], now());
    if (survived !== null) modelUndoUncleanEnd(tables, survived);
    return { instanceNo, givenBack: { ...givenBack, instanceNos: ended } };
  }

  return {
    accept: (items, budget) => acceptInTransaction(accept, { baseUrl }, items, budget),
    claim: (request) => claim(tables, request, now(), leaseAfter),
    claimProbes(instanceNo) {
      lockInstance(tables, instanceNo);
      // Nothing is disabled for failing here.
      return [];
    },
    settle: (instanceNo, settlements, rule) =>
      Promise.resolve(modelSettle(tables, instanceNo, settlements, rule, now())),
    markStarted: (instanceNo, leases) =>
      leases.flatMap(({ seq, lease }) => {
        const row = tables.leased.get(seq);
        if (row === undefined || row.instanceNo !== instanceNo || row.lease !== lease) return [];
        row.started = true;
        return [seq];
      }),
    rescue(silent) {
      const ended = silent.filter(
        ({ instanceNo, renewedAt }) => tables.instanceNos.get(instanceNo)?.renewedAt === renewedAt,
      );
      const instanceNos = ended.map(({ instanceNo }) => instanceNo);
      const survived = instanceNos.filter((no) => tables.instanceNos.get(no)?.survived === true);
      for (const no of instanceNos) tables.instanceNos.delete(no);
      return { ...modelGiveBack(tables, survived, now()), instanceNos };
    },
    releaseForgotten: (instanceNo, held) => modelRelease(tables, instanceNo, held, now()),
    cancelMarked: () => 0,
    startInstance: (_name, _version, survived) => startInstance(survived),
    renewInstance(instanceNo, networkSuspected) {
      const row = tables.instanceNos.get(instanceNo);
      if (row !== undefined) Object.assign(row, { renewedAt: now(), networkSuspected });
      return row !== undefined;
    },
    endInstance(instanceNo) {
      tables.instanceNos.delete(instanceNo);
      return modelRelease(tables, instanceNo, [], now());
    },
    instances: () =>
      Array.from(tables.instanceNos, ([instanceNo, { renewedAt, networkSuspected }]) => ({
        instanceNo,
        renewedAt,
        networkSuspected,
      })),
    forSending: (nos) =>
      [...tables.webhooks.values()]
        .filter(({ no }) => nos.includes(no))
        .map((webhook) => toSendable(sendableRow(webhook, now()), NO_ENCRYPTION)),

    addResource: ({ id, ownerId }) =>
      void tables.resources.set(id, {
        id,
        ownerId,
        title: "Castle",
        subtitle: "A map",
        fileVersion: null,
      }),
    addWebhook: ({ failingSince, ...webhook }) =>
      void tables.webhooks.set(webhook.no, {
        ...webhook,
        state: "active",
        reason: null,
        updatedAt: 0,
        health: failingSince === null ? null : { ...HEALTHY, failingSince, failedAttempts: 1 },
      }),

    deliveryOf(webhookNo, eventSeq) {
      const open = [...tables.leased.values(), ...tables.pending.values(), ...tables.ended];
      const row = open.find((one) => one.webhookNo === webhookNo && one.eventSeq === eventSeq);
      const tag = tables.events.get(eventSeq)?.tag;
      if (row === undefined || tag === undefined) throw new Error(`no delivery of ${eventSeq}`);
      return { seq: row.seq, tag, attempts: row.attempts };
    },
    holderOf: (seq) => tables.leased.get(seq)?.instanceNo ?? null,
    suspicionOf: (seq) => tables.leased.get(seq)?.suspicion ?? 0,
    hasEarlierOpen: (webhookNo, orderKey, seq) =>
      (tables.openOf(webhookNo, orderKey)[0] ?? Infinity) < seq,
    hasInstance: (instanceNo) => tables.instanceNos.has(instanceNo),
    failingSince: (no) => tables.webhooks.get(no)?.health?.failingSince ?? null,
    now,
    countOpen: () => tables.leased.size + tables.pending.size,
    countEvents: () => tables.events.size,
    ended: () => tables.ended,
    copyToStandby() {
      const standby = tables.copy();
      return () => {
        const lost = lostCommits(tables, standby);
        tables.become(standby);
        return lost;
      };
    },
    close: () => {},
  };
}

function lostCommits(primary: ModelTables, standby: ModelTables): LostCommits {
  const events = Array.from(primary.events.values())
    .filter(({ seq, tag }) => standby.events.get(seq)?.tag !== tag)
    .map(({ tag }) => tag);
  const leases = Array.from(primary.leased.values())
    .filter(({ seq, lease, instanceNo }) => {
      const copied = standby.leased.get(seq);
      return copied?.lease !== lease || copied.instanceNo !== instanceNo;
    })
    .map(({ seq, eventSeq, instanceNo }) => {
      return { seq, instanceNo, tag: primary.events.get(eventSeq)?.tag ?? "" };
    });
  return { events: new Set(events), leases };
}

function sendableRow(webhook: WebhookModel, now: number): Parameters<typeof toSendable>[0] {
  return {
    no: webhook.no,
    id: webhook.id,
    resource_id: webhook.resourceId,
    owner_id: webhook.ownerId,
    include_details: 0,
    url: webhook.url,
    format: webhook.chat === null ? "json" : "discord",
    host: hostOf(webhook.url),
    shown_url: webhook.url,
    chat_options: webhook.chat?.options ?? null,
    chat_target: webhook.chat?.target ?? null,
    chat_fault: null,
    state: webhook.state,
    reason: webhook.reason,
    secret: webhook.secret,
    next_secret: null,
    next_secret_until: null,
    cancel_before: null,
    cancel_reason: null,
    created_at: 0,
    updated_at: webhook.updatedAt,
    deleted_at: null,
    failing_since: webhook.health?.failingSince ?? null,
    last_success_at: webhook.health?.lastSuccessAt ?? null,
    now,
  };
}

function lockInstance(tables: ModelTables, instanceNo: number): void {
  if (!tables.instanceNos.has(instanceNo)) throw new LeaseLostError(instanceNo);
}

function claim(
  tables: ModelTables,
  request: ClaimRequest,
  now: number,
  leaseAfter: (last: number) => number,
): ClaimOutcome {
  lockInstance(tables, request.instanceNo);
  const deliveries: QueuedDelivery[] = [];
  const blocked: ClaimOutcome["blocked"] = [];
  const full = new Set(request.full);
  const isOpen = (no: number): boolean =>
    !full.has(no) && tables.webhooks.get(no)?.state === "active";
  const take = (row: PendingRow): void => {
    const taken = takeOne(tables, row, leaseAfter, request.instanceNo, now, blocked);
    if (taken !== null) deliveries.push(taken);
  };
  for (const { webhookNo, orderKey } of request.hints) {
    if (!isOpen(webhookNo)) continue;
    const seq = tables.openOf(webhookNo, orderKey).find((one) => tables.pending.has(one));
    const row = seq === undefined ? undefined : tables.pending.get(seq);
    if (row === undefined || (row.blocked === 0 && row.dueAt > now)) continue;
    take(row);
  }
  let { cursor } = request;
  let visited = 0;
  while (visited < request.webhooks) {
    const next = tables.webhookAfter(cursor);
    if (next === undefined) {
      cursor = 0;
      break;
    }
    cursor = next;
    visited += 1;
    if (!isOpen(cursor)) continue;
    for (const row of tables.due(cursor, now, request.perWebhook)) take(row);
  }
  return { deliveries, cursor, visited, blocked };
}

function takeOne(
  tables: ModelTables,
  row: PendingRow,
  leaseAfter: (last: number) => number,
  instanceNo: number,
  now: number,
  behind: ClaimOutcome["blocked"],
): QueuedDelivery | null {
  const { seq, webhookNo, orderKey } = row;
  const open = orderKey === null ? [] : tables.openOf(webhookNo, orderKey);
  if (orderKey !== null && (open[0] ?? seq) < seq) {
    tables.takePending(row);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** row.blocked, LONGEST_WAIT_MS);
    const blocked = Math.min(row.blocked + 1, MOST_BLOCKED);
    tables.addPending({ ...row, blocked, dueAt: now + wait });
    behind.push({ webhookNo, orderKey });
    return null;
  }
  tables.takePending(row);
  const { dueAt: _dueAt, blocked: _blocked, suspectedIn: _suspectedIn, ...rest } = row;
  const live = { ...rest, lease: leaseAfter(row.lease), instanceNo, started: false };
  tables.addLeased(live);
  const event = tables.events.get(row.eventSeq);
  if (event === undefined) throw new Error(`delivery ${seq} has no event`);
  const follows =
    orderKey !== null &&
    tables.openOf(webhookNo, orderKey).some((one) => one > seq && tables.pending.has(one));
  if (follows) behind.push({ webhookNo, orderKey });
  const suspected = row.suspicion > SUSPECT_ALONE_FROM || now < tables.uncleanEnd.healthyAt;
  return {
    seq,
    lease: live.lease,
    eventSeq: row.eventSeq,
    tag: event.tag,
    webhookNo,
    eventName: eventNameOf(row.kind),
    eventTime: event.time,
    payload: event.payload,
    orderKey,
    attempts: row.attempts,
    step: row.step,
    throttled: row.throttled,
    suspicion: suspected ? row.suspicion : 0,
    origin: "event",
    early: false,
    probe: false,
  };
}
