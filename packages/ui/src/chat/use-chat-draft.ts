import type { ChatOptions } from "@markethook/chat";
import type { Webhook } from "@markethook/client";
import { useEffect, useState } from "react";
import { keepDraft, readDraft } from "../session/drafts.ts";
import { sameOptions } from "./draft.ts";

interface Draft {
  /** What was saved when somebody began to change it. */
  base: ChatOptions;
  options: ChatOptions;
}

/** What is being changed of a webhook's messages, whether that differs from what is saved, and whether that moved. */
export function useChatDraft(webhook: Webhook, saved: ChatOptions) {
  // Another platform has other options.
  const name = `messages:${webhook.id}:${webhook.format}`;
  // As it was kept below. Null: nothing was changed.
  const [draft, setDraft] = useState(() => readDraft(name) as Draft | null);
  const isDirty = draft !== null && !sameOptions(draft.options, saved);
  useEffect(() => {
    keepDraft(name, isDirty ? draft : null);
  }, [name, draft, isDirty]);
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);
  const base = isDirty ? draft.base : saved;
  return {
    draft: isDirty ? draft.options : saved,
    setDraft: (options: ChatOptions) => setDraft({ base, options }),
    /** What a save takes for granted. */
    base,
    isDirty,
    isConflict: isDirty && !sameOptions(base, saved),
    keepMine: () => setDraft(draft === null ? null : { ...draft, base: saved }),
    discard: () => setDraft(null),
  };
}
