import type { Selectable } from "kysely";
import type { Tables } from "../tables.ts";
import type { SendableValues } from "./accept-transaction.ts";
import { number, text } from "./rows.ts";

/** What a sender needs of a webhook. Where there are many webhooks, each event reads one. */
export const SENDABLE_COLUMNS = [
  "w.no",
  "w.id",
  "w.resource_id",
  "w.url",
  "w.format",
  "w.shown_url",
  "w.chat_options",
  "w.chat_target",
  "w.chat_fault",
  "w.state",
  "w.reason",
  "w.secret",
  "w.next_secret",
  "w.next_secret_until",
  "w.cancel_before",
  "w.cancel_reason",
  "w.created_at",
  "w.updated_at",
  "w.deleted_at",
  "h.failing_since",
  "h.last_success_at",
] as const;

/** With the database's now. */
export type SendableRow = Pick<
  Selectable<Tables["webhooks"]>,
  (typeof SENDABLE_COLUMNS)[number] extends infer Column
    ? Column extends `w.${infer Name extends keyof Tables["webhooks"]}`
      ? Name
      : never
    : never
> & { failing_since: number | null; last_success_at: number | null; now: number };

export function sendableRow(values: SendableValues): SendableRow {
  return {
    no: Number(values[0]),
    id: text(values[1]),
    resource_id: text(values[2]),
    url: text(values[3]),
    format: text(values[4]),
    shown_url: textOrNull(values[5]),
    chat_options: textOrNull(values[6]),
    chat_target: textOrNull(values[7]),
    chat_fault: textOrNull(values[8]),
    state: text(values[9]),
    reason: textOrNull(values[10]),
    secret: text(values[11]),
    next_secret: textOrNull(values[12]),
    next_secret_until: number(values[13]),
    cancel_before: number(values[14]),
    cancel_reason: textOrNull(values[15]),
    created_at: Number(values[16]),
    updated_at: Number(values[17]),
    deleted_at: number(values[18]),
    failing_since: number(values[19]),
    last_success_at: number(values[20]),
    now: Number(values[21]),
  };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}
