import { isObject, jsonObject, MarkethookError, WEBHOOK_FIELDS } from "@markethook/protocol";
import type { ExpectedWebhook } from "../../port/webhooks.ts";
import { urlVersion } from "./webhook-address.ts";
import { fieldColumns, fieldsOf } from "./webhook-fields.ts";
import type { WebhookRow } from "./webhook-row.ts";

/** Checks the values that the caller read before, so that another person's change in between is not overwritten. */
export function checkExpected(row: WebhookRow, expected: ExpectedWebhook | undefined): void {
  if (expected === undefined) return;
  const { chat } = expected;
  const stored = fieldsOf(row);
  // As they would be stored and read, because the order of events does not count.
  const read = fieldsOf({ ...row, ...fieldColumns(expected) });
  const isOther = {
    urlVersion: expected.urlVersion !== undefined && expected.urlVersion !== urlVersion(row),
    ...Object.fromEntries(
      WEBHOOK_FIELDS.map((name) => [
        name,
        JSON.stringify(read[name]) !== JSON.stringify(stored[name]),
      ]),
    ),
    chat: chat !== undefined && isOtherChat(chat, row.chat_options),
  };
  const changed = Object.entries(isOther).filter(([, is]) => is);
  const [first] = changed;
  if (first === undefined) return;
  const names = changed.map(([name]) => name).join(", ");
  throw new MarkethookError("webhook_changed", {
    detail: `Changed meanwhile: ${names}.`,
    pointer: `/expected/${first[0]}`,
  });
}

/** Ignores the order of members. Damaged options may be replaced by any: nobody can have read them. */
function isOtherChat(expected: string, stored: string | null): boolean {
  if (stored !== null && typeof jsonObject(stored)?.["messages"] !== "object") return false;
  return canonical(expected) !== canonical(stored ?? "null");
}

function canonical(json: string): string {
  return JSON.stringify(jsonObject(json), (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
