import { LIMITS } from "./limits.ts";

/**
 * Texts that an owner writes about a webhook. Each is a column of its own name. It is stored, shown, copied, imported,
 * recorded and compared as it is, so nothing between the schema and the column names a single one.
 */
export const WEBHOOK_TEXTS = ["description"] as const;

export type WebhookTexts = Record<(typeof WEBHOOK_TEXTS)[number], string>;

/** How many characters each may have, for the schema and for the form. */
export const TEXT_LENGTHS: Readonly<Record<keyof WebhookTexts, number>> = {
  description: LIMITS.detailLength,
};

/** One that is left out is "" at first, and stays as it is in a change. */
export type GivenTexts = { [Name in keyof WebhookTexts]?: string | undefined };

/** All of them; "" for those that are not given. */
export function allTexts(from: GivenTexts): WebhookTexts {
  // Every name of the list is there.
  return Object.fromEntries(WEBHOOK_TEXTS.map((name) => [name, from[name] ?? ""])) as WebhookTexts;
}

/** Only those that are given, to be changed or compared. */
export function givenTexts(from: GivenTexts): Partial<WebhookTexts> {
  return Object.fromEntries(
    WEBHOOK_TEXTS.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}
