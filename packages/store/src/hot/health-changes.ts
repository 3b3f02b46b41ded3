import { markOf } from "../encryption.ts";
import type { NoticeKind } from "../port/administration.ts";
import type { DisableRule, HealthSignal } from "../port/deliveries.ts";
import type { WebhookState } from "../port/webhooks.ts";
import { type AuditEntry, stateEntry } from "./audit-chain.ts";
import {
  applyHealth,
  type HealthEvent,
  type HealthRow,
  type HealthState,
} from "./webhook-health.ts";
import { healthRow, healthRule, text, nullableText } from "./rows.ts";

/** Changes of webhooks by a batch of settlements; webhooks ascending. */
export interface HealthChanges {
  health: (HealthRow & { webhookNo: number })[];
  /** Webhooks whose run of failures ended. */
  recovered: number[];
  states: (HealthState & { webhookNo: number; probeAt: number | null })[];
  notices: {
    kind: NoticeKind;
    ownerId: string;
    resourceId: string;
    webhookId: string;
    detail: string;
  }[];
  audit: AuditEntry[];
}

/**
 * `rows`: by webhook, its columns with those of its health and `accepts_others`. A webhook without a row was deleted.
 * Its URL may have changed since its signals were collected: a receiver that is left may well answer 410.
 */
export function healthChanges(
  signals: readonly [webhookNo: number, events: HealthEvent[]][],
  rows: ReadonlyMap<number, Record<string, unknown>>,
  rule: DisableRule,
  now: number,
): HealthChanges {
  const changes: HealthChanges = { health: [], recovered: [], states: [], notices: [], audit: [] };
  for (const [webhookNo, all] of signals) {
    const row = rows.get(webhookNo);
    if (row === undefined) continue;
    const events = all.filter(({ signal }) => isStillAbout(signal, row));
    // The column has one of the three words.
    const before = { state: row["state"] as WebhookState, reason: nullableText(row["reason"]) };
    const outcome = applyHealth(healthRow(row), before, events, healthRule(rule, row), now);
    changes.health.push({ webhookNo, ...outcome.health });
    if (outcome.endedFailing) changes.recovered.push(webhookNo);
    if (outcome.stateChanged) {
      const probeAt = outcome.state.reason === "failing" ? now + rule.probeAfterMs : null;
      changes.states.push({ webhookNo, ...outcome.state, probeAt });
      changes.audit.push(stateEntry(row, before, outcome.state, now));
    }
    for (const { kind, detail } of outcome.notices) {
      changes.notices.push({
        kind,
        ownerId: text(row["owner_id"]),
        resourceId: text(row["resource_id"]),
        webhookId: text(row["id"]),
        detail: JSON.stringify(detail),
      });
    }
  }
  return changes;
}

function isStillAbout(signal: HealthSignal, row: Record<string, unknown>): boolean {
  if (signal.kind === "disable_chat") return signal.target === row["chat_target"];
  return signal.kind !== "disable" || signal.urlMark === markOf(text(row["url"]));
}
