import { acceptInTransaction } from "../../packages/store/src/hot/accept.ts";
import { eventNameOf } from "../../packages/store/src/hot/kinds.ts";
import { SUSPECT_ALONE_FROM } from "../../packages/store/src/hot/suspicion.ts";
import { hostOf } from "../../packages/store/src/management/host-of.ts";
import { toSendable } from "../../packages/store/src/management/webhook-row.ts";
import {
  type ClaimOutcome,
  type ClaimRequest,
  LeaseLostError,
  type QueuedDelivery,
} from "@markethook/store";
import type { Backend } from "./backend.ts";
import { modelAccept } from "./model-accept.ts";
import { modelGiveBack, modelRelease, modelSettle, modelUndoUncleanEnd } from "./model-settle.ts";
import { ModelTables, type WaitingRow, type WebhookModel } from "./model-tables.ts";
import { OPEN_SEAL } from "./open-seal.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const MOST_BLOCKED = 5;

/**
 * The database as its port describes it, in plain lists: a second opinion on the statements, and quicker. The plan of
 * accepting and the rules of health and suspicion are the real ones.
 */
export function modelBackend(now: () => number, baseUrl: string, shared: boolean): Backend {
  const tables = new ModelTables();
  const accept = modelAccept(tables, now);

  function startLife(survived: number | null) {
    if (shared && survived !== null) {
      const life = tables.lives.get(survived);
      if (life !== undefined) life.survived = true;
      modelUndoUncleanEnd(tables, survived);
    }
    tables.life += 1;
    const life = tables.life;
    const ended = shared ? [] : [...tables.lives.keys()];
    for (const one of ended) tables.lives.delete(one);
    tables.lives.set(life, { renewedAt: now(), survived: false });
    if (shared) return { life, givenBack: null };
    const givenBack = modelGiveBack(tables, survived === null ? [] : [survived], now());
    if (survived !== null) modelUndoUncleanEnd(tables, survived);
    return { life, givenBack: { ...givenBack, lives: ended } };
  }

  return {
    accept: (items, offer) => acceptInTransaction(accept, { baseUrl }, items, offer),
    claim: (request) => claim(tables, request, now()),
    claimProbes(life) {
      holdLife(tables, life);
      // Nothing is disabled for failing here.
      return [];
    },
    settle: (life, settlements, rule) =>
      Promise.resolve(modelSettle(tables, life, settlements, rule, now())),
    markStarted: (life, leases) =>
      leases.flatMap(({ seq, lease }) => {
        const row = tables.live.get(seq);
        if (row === undefined || row.life !== life || row.lease !== lease) return [];
        row.started = true;
        return [seq];
      }),
    rescue(own, leaseMs) {
      const at = now();
      const ended = [...tables.lives].filter(
        ([life, { renewedAt }]) => life !== own && renewedAt < at - leaseMs,
      );
      for (const [life] of ended) tables.lives.delete(life);
      const survived = ended.filter(([, one]) => one.survived).map(([life]) => life);
      return { ...modelGiveBack(tables, survived, at), lives: ended.map(([life]) => life) };
    },
    releaseForgotten: (life, held) => modelRelease(tables, life, held, now()),
    cancelMarked: () => 0,
    startLife: (_name, _version, survived) => startLife(survived),
    renewLife(life) {
      const row = tables.lives.get(life);
      if (row !== undefined) row.renewedAt = now();
      return row !== undefined;
    },
    endLife(life) {
      tables.lives.delete(life);
      return modelRelease(tables, life, [], now());
    },
    countLives: () => tables.lives.size,
    forSending: (nos) =>
      [...tables.webhooks.values()]
        .filter(({ no }) => nos.includes(no))
        .map((webhook) => toSendable(sendableRow(webhook, now()), OPEN_SEAL)),

    addResource: ({ id, ownerId }) =>
      void tables.resources.set(id, {
        id,
        ownerId,
        title: "Castle",
        subtitle: "A map",
        fileVersion: null,
      }),
    addWebhook: (webhook) =>
      void tables.webhooks.set(webhook.no, {
        ...webhook,
        state: "active",
        reason: null,
        updatedAt: 0,
        health: null,
      }),

    holderOf: (seq) => tables.live.get(seq)?.life ?? null,
    hasEarlierOpen: (webhookNo, orderKey, seq) =>
      (tables.openOf(webhookNo, orderKey)[0] ?? Infinity) < seq,
    hasLife: (life) => tables.lives.has(life),
    countOpen: () => tables.live.size + tables.waiting.size,
    countEvents: () => tables.events.size,
    ended: () => tables.done,
    close: () => {},
  };
}

function sendableRow(webhook: WebhookModel, now: number): Parameters<typeof toSendable>[0] {
  return {
    no: webhook.no,
    id: webhook.id,
    resource_id: webhook.resourceId,
    owner_id: webhook.ownerId,
    url: webhook.url,
    format: "json",
    host: hostOf(webhook.url),
    shown_url: webhook.url,
    chat_options: null,
    chat_target: null,
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

function holdLife(tables: ModelTables, life: number): void {
  if (!tables.lives.has(life)) throw new LeaseLostError(life);
}

function claim(tables: ModelTables, request: ClaimRequest, now: number): ClaimOutcome {
  holdLife(tables, request.life);
  const deliveries: QueuedDelivery[] = [];
  const blocked: ClaimOutcome["blocked"] = [];
  const full = new Set(request.full);
  const isOpen = (no: number): boolean =>
    !full.has(no) && tables.webhooks.get(no)?.state === "active";
  const take = (row: WaitingRow): void =>
    takeOne(tables, row, request.life, now, deliveries, blocked);
  for (const { webhookNo, orderKey } of request.hints) {
    if (!isOpen(webhookNo)) continue;
    const seq = tables.openOf(webhookNo, orderKey).find((one) => tables.waiting.has(one));
    const row = seq === undefined ? undefined : tables.waiting.get(seq);
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
  row: WaitingRow,
  life: number,
  now: number,
  into: QueuedDelivery[],
  behind: ClaimOutcome["blocked"],
): void {
  const { seq, webhookNo, orderKey } = row;
  const open = orderKey === null ? [] : tables.openOf(webhookNo, orderKey);
  if (orderKey !== null && (open[0] ?? seq) < seq) {
    tables.takeWaiting(row);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** row.blocked, LONGEST_WAIT_MS);
    const blocked = Math.min(row.blocked + 1, MOST_BLOCKED);
    tables.addWaiting({ ...row, blocked, dueAt: now + wait });
    behind.push({ webhookNo, orderKey });
    return;
  }
  tables.takeWaiting(row);
  const { dueAt: _dueAt, blocked: _blocked, suspectedIn: _suspectedIn, ...rest } = row;
  const live = { ...rest, lease: row.lease + 1, life, started: false };
  tables.addLive(live);
  const event = tables.events.get(row.eventSeq);
  if (event === undefined) throw new Error(`delivery ${seq} has no event`);
  const suspected = row.suspicion > SUSPECT_ALONE_FROM || now < tables.uncleanEnd.healthyAt;
  into.push({
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
  });
  const follows =
    orderKey !== null &&
    tables.openOf(webhookNo, orderKey).some((one) => one > seq && tables.waiting.has(one));
  if (follows) behind.push({ webhookNo, orderKey });
}
