import type { UrlRemark } from "./webhook-words.ts";

/** Webhooks that this page has added, with what the service remarked about their URLs: they get a guided first view. */
const added = new Map<string, readonly UrlRemark[]>();

export function rememberNew(webhookId: string, remarks: readonly UrlRemark[]): void {
  added.set(webhookId, remarks);
}

/** Null for one that was there before. */
export function remarksOfNew(webhookId: string): readonly UrlRemark[] | null {
  return added.get(webhookId) ?? null;
}

export function forgetNew(webhookId: string): void {
  added.delete(webhookId);
}
