import { Tabs } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useMemo, useState } from "react";
import { REPORTED_EVENT_NAMES } from "@markethook/protocol/event-names";
import {
  chatFormat,
  type ChatOptions,
  type ChatOptionsFault,
  checkChatOptions,
  sampleFacts,
} from "@markethook/chat";
import type { Webhook } from "@markethook/client";
import type { EventName } from "@markethook/protocol";
import { useResources } from "../api/resources-and-webhooks.ts";
import { useSession } from "../session/session.ts";
import { eventTitle } from "../shared/code-words.ts";
import { ErrorNotice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { ConflictNotice } from "../webhooks/conflict-notice.tsx";
import { useErrorOfDirty, useWebhookActions } from "../webhooks/use-webhook-actions.ts";
import { AllMessages } from "./all-messages.tsx";
import { isChanged, sameOptions } from "./draft.ts";
import { EventEditor } from "./event-editor.tsx";
import { messageFaultWords } from "./message-remarks.tsx";
import classes from "./messages-tab.module.css";
import { PreviewPane } from "./preview-pane.tsx";
import { SaveBar } from "./save-bar.tsx";
import { words } from "../words/words.ts";
import { keepDraft, readDraft } from "../session/drafts.ts";

const EVENTS: readonly EventName[] = [
  ...REPORTED_EVENT_NAMES.filter((name) => name !== "product.update"),
  "product.update",
  "ping",
];

/** The messages of a chat's webhook for each event, with a live preview. */
export function MessagesTab(props: { webhook: Webhook; format: string; saved: ChatOptions }) {
  const { webhook, format, saved } = props;
  const { draft, setDraft, base, rebase, isDirty, isConflict, keepMine, discard } = useChatDraft(
    webhook,
    saved,
  );
  const [event, setEvent] = useState<EventName>("product.user.purchase");
  const { change } = useWebhookActions(webhook.id);
  const error = useErrorOfDirty(change, isDirty);
  const faults = useMemo(() => faultsOf(format, draft), [format, draft]);
  const threadFault = faults.find(({ pointer }) => pointer === "/threadId");
  const preview = usePreview(webhook, format, draft, event);
  const isChosen = webhook.events === null || event === "ping" || webhook.events.includes(event);
  return (
    <div
      className={stack["stack"]}
      onKeyUp={({ key, target }) => {
        // Of a field for text the browser scrolls only to the line that is written.
        if (key === "Tab" && target instanceof Element) target.scrollIntoView({ block: "nearest" });
      }}
    >
      <Panel title={words.webhooks.tabs.messages} about={words.chat.about}>
        <Tabs
          value={event}
          variant="pills"
          keepMounted={false}
          // The name of a tab.
          onChange={(next) => setEvent(next as EventName)}
        >
          <Tabs.List aria-label={words.chat.byEvent}>
            {EVENTS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {eventTitle(name)}
                {isChanged(draft, name) ? (
                  <span className={classes["own"]}>{` · ${words.chat.own}`}</span>
                ) : null}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={event} pt="lg">
            {isChosen ? null : <p className={stack["small"]}>{words.chat.notChosen}</p>}
            <div className={classes["columns"]}>
              <EventEditor
                key={event}
                event={event}
                format={format}
                options={draft}
                onChange={setDraft}
                faults={new Map(faults.flatMap((one) => memberOf(one, event)))}
                colour={preview.message.colour}
              />
              <PreviewPane
                format={format}
                message={preview.message}
                name={preview.name}
                edited={preview.edited}
              />
            </div>
          </Tabs.Panel>
        </Tabs>
      </Panel>
      <AllMessages
        format={format}
        options={draft}
        onChange={setDraft}
        threadFault={threadFault === undefined ? undefined : messageFaultWords(threadFault)}
      />
      {isConflict && !change.isPending ? (
        <ConflictNotice
          title={words.chat.changedElsewhere}
          change={change}
          keepMine={keepMine}
          takeTheirs={discard}
        />
      ) : (
        <ErrorNotice error={error} />
      )}
      <SaveBar
        isDirty={isDirty}
        faulty={faults.length > 0 || isConflict}
        busy={change.isPending}
        onDiscard={discard}
        onSave={() =>
          change.mutate(
            { chat: draft, expected: { chat: base } },
            {
              onSuccess: (after) => {
                rebase(after.chat ?? draft);
                notifications.show({ message: words.chat.messagesSaved });
              },
            },
          )
        }
      />
    </div>
  );
}

function faultsOf(format: string, options: ChatOptions): ChatOptionsFault[] {
  const checked = checkChatOptions(chatFormat(format), options);
  return "faults" in checked ? checked.faults : [];
}

/** A fault of this event's message, by its member. */
function memberOf(fault: ChatOptionsFault, event: EventName): [string, ChatOptionsFault][] {
  const start = `/messages/${event}/`;
  return fault.pointer.startsWith(start) ? [[fault.pointer.slice(start.length), fault]] : [];
}

/** Made by the code that makes the real message. */
function usePreview(webhook: Webhook, formatName: string, options: ChatOptions, event: EventName) {
  const { info } = useSession();
  const resources = useResources();
  const title =
    resources.data?.find(({ id }) => id === webhook.resourceId)?.title ?? words.chat.sampleTitle;
  const url = `${info.baseUrl.replace(/\/+$/, "")}/resource/${webhook.resourceId}`;
  return useMemo(() => {
    const format = chatFormat(formatName);
    const about = { title, url, serviceName: info.serviceName };
    const facts = sampleFacts(event, about);
    const edits = event === "product.user.purchaseRemoved" && options.refunds === "edit";
    const editedSale = edits ? format.editedSale : null;
    const sale = { messageId: "1", facts: sampleFacts("product.user.purchase", about) };
    const message =
      editedSale === null ? format.message(facts, options) : editedSale(sale, facts, options);
    return { message, edited: editedSale !== null, name: info.serviceName };
  }, [formatName, title, url, info.serviceName, event, options]);
}

interface Draft {
  /** The saved options on which the draft is based. */
  base: ChatOptions;
  /** `updatedAt` of the webhook before this page saved. Until it is read again, it still has the old options. */
  replaced?: string;
  options: ChatOptions;
}

/** The unsaved messages of a webhook, whether they differ from the saved ones, and whether those changed meanwhile. */
function useChatDraft(webhook: Webhook, saved: ChatOptions) {
  // The format is part of the name, because another platform has other options.
  const name = `messages:${webhook.id}:${webhook.format}`;
  // The draft that the effect below has kept; null: nothing was changed.
  const [draft, setDraft] = useState(() => readDraft(name) as Draft | null);
  const isDirty = draft !== null && !sameOptions(draft.options, saved);
  useEffect(() => {
    keepDraft(name, isDirty ? draft : null);
    // Saved options are no draft any more: the form follows later changes from elsewhere.
    if (!isDirty) setDraft(null);
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
    /** The saved options on which the changes are based. */
    base,
    isDirty,
    isConflict: isDirty && !sameOptions(base, saved) && draft.replaced !== webhook.updatedAt,
    /** Bases the draft on these options, which were just saved. */
    rebase: (next: ChatOptions) =>
      setDraft((now) =>
        now === null ? null : { ...now, base: next, replaced: webhook.updatedAt },
      ),
    keepMine: () => setDraft(draft === null ? null : { ...draft, base: saved }),
    discard: () => setDraft(null),
  };
}
