import type { Webhook, WebhookChange } from "@markethook/client";
import { useEffect, useState } from "react";
import { keepDraft, readDraft } from "../session/drafts.ts";
import { type Field, FIELDS, useWebhookForm, type WebhookValues } from "./webhook-form.tsx";

interface Saved extends WebhookValues {
  /** Tells two URLs apart whose shown parts are the same. */
  urlVersion: string;
}

interface Draft {
  /** The saved values when they were last looked at. */
  base: Saved;
  values: WebhookValues;
}

/**
 * The unsaved changes of a webhook that others may change too. Fields without a change follow the saved values. Fields that
 * both have changed are conflicts, for the owner to decide. `isBusy`: a save is under way.
 */
export function useWebhookEdit(webhook: Webhook, isBusy: boolean) {
  const name = `webhook:${webhook.id}`;
  const saved = savedValues(webhook);
  // The draft that the effect below has kept. One of an earlier build lacks the fields that came since.
  const [draft] = useState(() => readDraft(name) as Draft | null);
  const [base, setBase] = useState<Saved>({ ...saved, ...draft?.base });
  const form = useWebhookForm({ ...saved, ...draft?.values });
  const { values } = form;
  /** `updatedAt` of the webhook before this page saved. Until it is read again, it still has the old values. */
  const [replaced, setReplaced] = useState<string | null>(null);
  const dirty = FIELDS.filter((field) => !same(values[field], base[field]));
  const moved = FIELDS.filter((field) =>
    field === "url" ? saved.urlVersion !== base.urlVersion : !same(saved[field], base[field]),
  );
  const isBehind = isBusy || webhook.updatedAt === replaced;
  const conflicts = isBehind
    ? []
    : moved.filter((field) => dirty.includes(field) && !same(values[field], saved[field]));

  const settle = (fields: readonly Field[], take: boolean): void => {
    const theirs = pick(saved, fields);
    if (take) form.setValues(theirs);
    const { urlVersion } = fields.includes("url") ? saved : base;
    setBase({ ...base, ...theirs, urlVersion });
  };
  const followed = isBehind ? [] : moved.filter((field) => !conflicts.includes(field));
  const following = JSON.stringify([followed, saved]);
  useEffect(() => {
    if (followed.length > 0) settle(followed, true);
    // By the values to follow, not by the objects that hold them.
  }, [following]);

  const isDirty = dirty.length > 0;
  const typed = JSON.stringify({ base, values });
  useEffect(() => {
    keepDraft(name, isDirty ? JSON.parse(typed) : null);
  }, [name, isDirty, typed]);

  return {
    form,
    conflicts,
    isDirty,
    /** The changed values, and the values before. */
    change(sent: WebhookValues): WebhookChange {
      const fields = FIELDS.filter((field) => !same(sent[field], base[field]));
      const { url, ...expected } = pick(base, fields);
      const version = url === undefined ? {} : { urlVersion: base.urlVersion };
      // Of the form's choices.
      return { ...pick(sent, fields), expected: { ...expected, ...version } } as WebhookChange;
    },
    /** `sent` was saved. Later input stays, even if the form was left meanwhile. */
    saved(sent: WebhookValues, after: Webhook): void {
      const next = savedValues(after);
      const newer = (typed: Partial<WebhookValues>): Partial<WebhookValues> => {
        const fields = FIELDS.filter((field) => same(trimmed(typed[field]), trimmed(sent[field])));
        return { ...typed, ...pick(next, fields) };
      };
      setBase(next);
      setReplaced(after.updatedAt === webhook.updatedAt ? null : webhook.updatedAt);
      form.setValues(newer);
      const kept = readDraft(name) as Draft | null;
      if (kept !== null) keepDraft(name, { base: next, values: newer(kept.values) });
    },
    keepMine: () => settle(conflicts, false),
    takeTheirs: () => settle(conflicts, true),
    discard() {
      form.setValues(saved);
      setBase(saved);
    },
  };
}

function savedValues(webhook: Webhook): Saved {
  // All of them.
  const values = pick(webhook, FIELDS) as WebhookValues;
  return { ...values, urlVersion: webhook.urlVersion };
}

function pick(values: WebhookValues, fields: readonly Field[]): Partial<WebhookValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** As a URL is sent. */
function trimmed(value: WebhookValues[Field]): WebhookValues[Field] {
  return typeof value === "string" ? value.trim() : value;
}

/** Ignores the order of events. */
function same(one: WebhookValues[Field], other: WebhookValues[Field]): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return [...one].sort().join() === [...other].sort().join();
  }
  return one === other;
}
