import { randomBytes } from "node:crypto";
import { type FileVersion, makeTag, type ReportedEventName } from "@markethook/protocol";
import type { AcceptItem, AcceptOutcome, LeaseBudget } from "../port/events.ts";

const NAMES = {
  purchase: "product.user.purchase",
  removed: "product.user.purchaseRemoved",
  download: "product.user.firstDownload",
} as const satisfies Record<string, ReportedEventName>;

export function event(
  resourceId: string,
  what: keyof typeof NAMES,
  userId: number,
  more: Partial<AcceptItem> = {},
): AcceptItem {
  return {
    resourceId,
    name: NAMES[what],
    time: 1_700_000_000,
    tag: makeTag(randomBytes),
    userId,
    ...more,
  };
}

export function fileVersion(id: string, change: Partial<FileVersion> = {}): FileVersion {
  return {
    version: `v${id}`,
    id,
    time: 1_690_000_000,
    size: "1024",
    fileType: "jar",
    branch: "release",
    title: `Update ${id}`,
    description: "New towers",
    ...change,
  };
}

export function update(
  resourceId: string,
  version: FileVersion,
  more: Partial<AcceptItem> = {},
): AcceptItem {
  return {
    resourceId,
    name: "product.update",
    time: 1_700_000_000,
    tag: makeTag(randomBytes),
    update: version,
    ...more,
  };
}

export function keyed(key: string, body = "body"): Pick<AcceptItem, "idempotency"> {
  return { idempotency: { key, bodyHash: body } };
}

export function budget(instanceNo: number, change: Partial<LeaseBudget> = {}): LeaseBudget {
  return { instanceNo, bytes: 1_000_000, share: 100, full: [], read: [], ...change };
}

export function accepted(outcome: AcceptOutcome): number {
  return outcome.results.filter((result) => result.kind === "accepted").length;
}

/** Of a rejected one, why. */
export function codeOf(result: AcceptOutcome["results"][number]): string {
  return result.kind === "rejected" ? result.code : result.kind;
}

/** All events of a webhook, to be sent again. */
export function allOf(webhookId: string) {
  return { webhookId, ownerId: null, from: 0, to: 9e15 };
}
