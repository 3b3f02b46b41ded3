import type { ChatOptions } from "@markethook/chat";
import type { Webhook } from "@markethook/client";
import { useEffect, useState } from "react";
import { draftOf, keepDraft, sameOptions } from "./draft.ts";

/** What is being changed of a webhook's messages, and whether that differs from what is saved. */
export function useChatDraft(webhook: Webhook, saved: ChatOptions) {
  const [draft, setDraft] = useState<ChatOptions>(() => draftOf(webhook.id) ?? saved);
  const isDirty = !sameOptions(draft, saved);
  useEffect(() => {
    keepDraft(webhook.id, isDirty ? draft : null);
  }, [webhook.id, draft, isDirty]);
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);
  return { draft, setDraft, isDirty, discard: () => setDraft(saved) };
}
