import type { ReportedEventName } from "./event-names.ts";
import { LIMITS } from "./limits.ts";

/** The texts that an owner writes about a webhook, and how many characters each may have. Each is a column of its own name. */
export const TEXT_LENGTHS = { description: LIMITS.detailLength } as const;

export type WebhookTexts = Record<keyof typeof TEXT_LENGTHS, string>;
// An object has no other names.
export const WEBHOOK_TEXTS = Object.keys(TEXT_LENGTHS) as readonly (keyof WebhookTexts)[];

/**
 * An owner's values for a webhook, besides its address and a chat's messages. They are stored, shown, copied, imported,
 * recorded and compared as a whole, so few places name one of these fields.
 */
export interface WebhookFields extends WebhookTexts {
  /** Null: all events. */
  events: ReportedEventName[] | null;
  /** Requests carry the reported `details`. A chat's messages show them anyway. */
  includeDetails: boolean;
}

/** The initial values of the fields. */
export const FIELDS_AT_FIRST: WebhookFields = {
  events: null,
  description: "",
  includeDetails: false,
};
export const WEBHOOK_FIELDS = Object.keys(FIELDS_AT_FIRST) as readonly (keyof WebhookFields)[];

/** A left-out field stays unchanged in a change, and has its initial value in a new webhook. */
export type GivenFields = { [Name in keyof WebhookFields]?: WebhookFields[Name] | undefined };

/** Those that are given, and nothing else of the object. */
export function givenFields(from: GivenFields): Partial<WebhookFields> {
  return Object.fromEntries(
    WEBHOOK_FIELDS.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}

export function allFields(from: GivenFields): WebhookFields {
  return { ...FIELDS_AT_FIRST, ...givenFields(from) };
}
