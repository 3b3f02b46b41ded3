import {
  type GivenFields,
  givenFields,
  REPORTED_EVENT_NAMES,
  WEBHOOK_TEXTS,
  type WebhookFields,
  type WebhookTexts,
} from "@markethook/protocol";
import { eventMask, kindOf, maskMatches } from "../../hot/kinds.ts";

/** The columns that store what an owner sets of a webhook. A text has the column of its name. */
export interface FieldColumns extends WebhookTexts {
  /** Bits by event name; null: all events. */
  mask: number | null;
  /** 1: true. */
  include_details: number;
}

export function fieldsOf(row: FieldColumns): WebhookFields {
  const { mask } = row;
  return {
    events:
      mask === null ? null : REPORTED_EVENT_NAMES.filter((name) => maskMatches(mask, kindOf(name))),
    ...textsOf(row),
    includeDetails: row.include_details === 1,
  };
}

function textsOf(row: WebhookTexts): WebhookTexts {
  // Every name of the list is there.
  return Object.fromEntries(WEBHOOK_TEXTS.map((name) => [name, row[name]])) as WebhookTexts;
}

/** The columns of the fields that are given. */
export function fieldColumns(fields: WebhookFields): FieldColumns;
export function fieldColumns(fields: GivenFields): Partial<FieldColumns>;
export function fieldColumns(fields: GivenFields): Partial<FieldColumns> {
  const { events, includeDetails, ...texts } = givenFields(fields);
  return {
    ...(events === undefined ? {} : { mask: eventMask(events) }),
    ...(includeDetails === undefined ? {} : { include_details: includeDetails ? 1 : 0 }),
    ...texts,
  };
}
