import type { ChatOptions } from "@markethook/chat";
import type { Webhook } from "@markethook/client";
import { useEffect, useState } from "react";
import { keepDraft, readDraft } from "../session/drafts.ts";
import { sameOptions } from "./draft.ts";

/** What is being changed of a webhook's messages, and whether that differs from what is saved. */
export function useChatDraft(webhook: Webhook, saved: ChatOptions) {
  const name = `messages:${webhook.id}`;
  // As it was kept below.
  const [draft, setDraft] = useState(() => (readDraft(name) as ChatOptions | null) ?? saved);
  const isDirty = !sameOptions(draft, saved);
  useEffect(() => {
    keepDraft(name, isDirty ? draft : null);
  }, [name, draft, isDirty]);
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);
  return { draft, setDraft, isDirty, discard: () => setDraft(saved) };
}
