import type { Settlement } from "../port/deliveries.ts";

/** Deliveries of one webhook that a batch of settlements gave up. */
export interface GivenUp {
  webhookNo: number;
  count: number;
  firstSeq: number;
  lastSeq: number;
  lastOutcome: string | null;
  lastStatus: number | null;
}

/** Reasons that are not counted: the receiver asked for it, or its owner gets another notice. */
const AS_ASKED: ReadonlySet<string | null> = new Set([
  "aborted_by_receiver",
  "disabled_by_receiver",
  "gone",
]);

/** By the reason for which a delivery is dead. */
export function isCountedAsGivenUp(reason: string | null): boolean {
  return !AS_ASKED.has(reason);
}

export function isGivenUp({ next }: Settlement): boolean {
  return next.kind === "end" && next.state === "dead" && isCountedAsGivenUp(next.reason);
}

/** Webhooks ascending, because rows of several are locked in one order. */
export function givenUpOf(settlements: readonly Settlement[]): GivenUp[] {
  const byWebhook = new Map<number, GivenUp>();
  for (const one of settlements) {
    if (!isGivenUp(one)) continue;
    const { seq, webhookNo, attempt } = one;
    const before = byWebhook.get(webhookNo);
    byWebhook.set(webhookNo, {
      webhookNo,
      count: (before?.count ?? 0) + 1,
      firstSeq: before?.firstSeq ?? seq,
      lastSeq: seq,
      lastOutcome: attempt?.outcome ?? null,
      lastStatus: attempt?.status ?? null,
    });
  }
  return [...byWebhook.values()].sort((a, b) => a.webhookNo - b.webhookNo);
}
