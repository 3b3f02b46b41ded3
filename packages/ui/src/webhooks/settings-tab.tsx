import { ApiError, type Webhook } from "@markethook/client";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import type { PingControl } from "./ping-panel.tsx";
import { AddressPanel, SecretPanel } from "../secret/secret-tab.tsx";
import { useSeesSecrets } from "../secret/use-secret.ts";
import { Facts, Notice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { errorWords } from "../shared/code-words.ts";
import { exactTime, UserText } from "../shared/inline-text.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { useErrorOfDirty, useWebhookActions } from "./use-webhook-actions.ts";
import { useWebhookEdit } from "./use-webhook-edit.ts";
import { savedWords, WebhookForm } from "./webhook-form.tsx";
import { words } from "../words/first-words.ts";

export function SettingsTab({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const { change } = useWebhookActions(webhook.id);
  const edit = useWebhookEdit(webhook, change.isPending);
  const error = useErrorOfDirty(change, edit.isDirty);
  const seesSecrets = useSeesSecrets();
  const isChat = webhook.format !== "json";
  const [hostChanged, setHostChanged] = useState(false);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (
    <div className={stack["stack"]}>
      <div role="status" className={hostChanged ? undefined : stack["unseen"]}>
        {hostChanged ? (
          <Notice
            kind="info"
            title={isChat ? words.webhooks.otherChat : words.webhooks.otherHost}
            action={
              <>
                <Button
                  size="xs"
                  onClick={() => {
                    setHostChanged(false);
                    ping.send("current");
                  }}
                >
                  {words.webhooks.sendPing}
                </Button>
                <Button size="xs" variant="default" onClick={() => setHostChanged(false)}>
                  {words.webhooks.later}
                </Button>
              </>
            }
          >
            {isChat ? words.webhooks.otherChatText : words.webhooks.otherHostText}
          </Notice>
        ) : null}
      </div>
      <Panel
        title={isChat ? words.webhooks.chat : words.webhooks.yourServer}
        about={words.webhooks.settingsText}
      >
        <WebhookForm
          form={edit.form}
          savedUrl={webhook.url}
          savedFormat={webhook.format}
          resourceId={webhook.resourceId}
          webhookId={webhook.id}
          submitLabel={words.webhooks.save}
          busy={change.isPending}
          off={edit.conflicts.length > 0}
          error={isConflict(error) ? null : error}
          after={
            edit.conflicts.length === 0 ? null : (
              <ConflictNotice
                title={words.webhooks.changedElsewhere}
                change={change}
                keepMine={edit.keepMine}
                takeTheirs={edit.takeTheirs}
              >
                <ul className={stack["steps"]}>
                  {edit.conflicts.map((field) => (
                    <li key={field}>
                      {words.webhooks.isNow[field](
                        <UserText>{savedWords(webhook, field)}</UserText>,
                      )}
                    </li>
                  ))}
                </ul>
              </ConflictNotice>
            )
          }
          secondary={
            edit.isDirty ? (
              <Button variant="default" onClick={edit.discard}>
                {words.webhooks.discard}
              </Button>
            ) : null
          }
          onSubmit={(values) =>
            // Not as an option, which is forgotten when another tab is chosen before the answer comes.
            void change.mutateAsync(edit.change(values)).then(
              (saved) => {
                edit.saved(values, saved);
                setHostChanged(placeOf(saved) !== placeOf(webhook));
                notifications.show({ message: words.webhooks.saved });
              },
              (failure: unknown) => {
                // Else the form says it, or the page that the session has ended.
                const isSaid = failure instanceof ApiError && failure.status === 401;
                if (isHere.current || isSaid) return;
                const { title, text } = errorWords(failure);
                notifications.show({ title, message: text, color: "red" });
              },
            )
          }
        />
      </Panel>
      <AddressPanel key={`address ${webhook.updatedAt}`} webhook={webhook} />
      {isChat || !seesSecrets ? null : <SecretPanel webhook={webhook} />}
      <Panel title={words.webhooks.aboutIt}>
        <Facts
          items={[
            [words.webhooks.webhookId, <code>{webhook.id}</code>],
            [words.webhooks.resourceId, <code>{webhook.resourceId}</code>],
            [words.webhooks.added, exactTime(webhook.createdAt)],
            [words.webhooks.lastAccepted, exactTime(webhook.lastSuccessAt)],
            [words.webhooks.lastFailed, exactTime(webhook.lastFailureAt)],
          ]}
        />
      </Panel>
    </div>
  );
}

/** It is shown as one, unless there is none any more. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "webhook_changed";
}

/** The host, or of a chat its URL. */
function placeOf({ url, host, format }: Webhook): string {
  return format === "json" ? host : url;
}
