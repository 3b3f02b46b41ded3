import { instant } from "@markethook/protocol";
import { type AttemptCount, hourOf, type Webhook } from "@markethook/store";
import type { Static } from "typebox";
import type { AppDeps } from "../app-deps.ts";
import { instantOrNull, withInstants } from "../request/instant.ts";
import { optionsOf } from "../input/webhook-input.ts";
import type { WebhookView } from "../schemas/webhook.ts";

type Shown = Static<typeof WebhookView>;

const HOURS = 24;

/** Webhooks in the API's form, with the results of their requests of the last day. */
export function createWebhookViews(deps: Pick<AppDeps, "attemptCounts" | "nowMs" | "store">) {
  async function many(webhooks: readonly Webhook[]): Promise<Shown[]> {
    const counts = await deps.attemptCounts.list(webhooks.map(({ no }) => no));
    const byWebhook = Map.groupBy(counts, ({ webhookNo }) => webhookNo);
    return webhooks.map((webhook) => {
      const own = byWebhook.get(webhook.no) ?? [];
      const newest = newestOf(own);
      return {
        ...plainView(webhook),
        failingSince: hasAccepted(newest, webhook) ? null : instantOrNull(webhook.failingSince),
        lastSuccessAt: instantOrNull(lastSuccessOf(webhook, own)),
        health: healthView(own, newest, deps.nowMs()),
      };
    });
  }

  return {
    many,
    /** With the number of its held deliveries, which would cost too much for each of a list. */
    async one(webhook: Webhook): Promise<Shown> {
      const [view] = await many([webhook]);
      if (view === undefined) throw new Error("a webhook has a view");
      if (webhook.state === "active") return view;
      return { ...view, held: await deps.store.log.countHeld(webhook.no) };
    },
  };
}

/** Counts of this process that are not stored yet. */
function lastSuccessOf(webhook: Webhook, counts: readonly AttemptCount[]): number | null {
  const at = Math.max(webhook.lastSuccessAt ?? 0, ...counts.map(({ lastOkAt }) => lastOkAt));
  return at === 0 ? null : at;
}

function newestOf(counts: readonly AttemptCount[]): AttemptCount | null {
  return counts.reduce<AttemptCount | null>(
    (last, count) => (last === null || count.lastAt > last.lastAt ? count : last),
    null,
  );
}

/**
 * Whether the newest attempt is a delivery's, and was accepted. Its outcome ends a run of failures when it is stored, a
 * moment later. Until then it would seem that the webhook fails, and has accepted a ping. A run that began after that
 * attempt goes on: another instance made its attempts, and has not stored their counts yet.
 */
function hasAccepted(newest: AttemptCount | null, { failingSince }: Webhook): boolean {
  if (newest === null || newest.lastAt < (failingSince ?? 0)) return false;
  return newest.lastOutcome === "ok" && newest.lastOkAt === newest.lastAt;
}

function plainView(webhook: Webhook): Omit<Shown, "failingSince" | "health" | "lastSuccessAt"> {
  const { rotation, givenUp } = webhook;
  return {
    ...withInstants(webhook),
    chat: optionsOf(webhook),
    standardSignature: !webhook.secretIsImportedText,
    rotation: rotation && { until: instantOrNull(rotation.until) },
    givenUp: givenUp && { count: givenUp.count, since: instant(givenUp.since) },
  };
}

function healthView(
  counts: readonly AttemptCount[],
  newest: AttemptCount | null,
  nowMs: number,
): Shown["health"] {
  const first = hourOf(nowMs) - HOURS + 1;
  const byHour = new Map(counts.map((count) => [count.hour, count]));
  return {
    hours: Array.from({ length: HOURS }, (_, i) => {
      const count = byHour.get(first + i);
      return { ok: count?.ok ?? 0, failed: count?.failed ?? 0 };
    }),
    lastAttempt: newest && {
      at: instant(newest.lastAt),
      outcome: newest.lastOutcome,
      status: newest.lastStatus,
    },
  };
}
