import { Button } from "@mantine/core";
import type { Webhook } from "@markethook/client";
import { SecretField } from "../secret/secret-field.tsx";
import { useSecret, useSeesSecrets } from "../secret/use-secret.ts";
import { DIMMED_BUTTON } from "../shared/buttons.tsx";
import { Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { remarkWords, type UrlRemark } from "./webhook-words.ts";
import { words } from "../words/first-words.ts";

/** Webhooks that this page has added, with what the service remarked about their URLs: they get a guided first view. */
const added = new Map<string, readonly UrlRemark[]>();

export function rememberNew(webhookId: string, remarks: readonly UrlRemark[]): void {
  added.set(webhookId, remarks);
}

/** Null for one that was there before. */
export function remarksOfNew(webhookId: string): readonly UrlRemark[] | null {
  return added.get(webhookId) ?? null;
}

/** The first view of a new webhook: its secret, and the next steps. */
export function NewPanel(props: {
  webhook: Webhook;
  onDone: () => void;
  /** The secret stands further down already. */
  elsewhere: boolean;
}) {
  const { webhook, onDone } = props;
  const remarks = remarksOfNew(webhook.id) ?? [];
  const isJson = webhook.format === "json";
  const showsSecret = useSeesSecrets() && isJson;
  const secret = useSecret(webhook.id, showsSecret);
  return (
    <Panel
      title={words.webhooks.ready}
      about={aboutNew(isJson, showsSecret)}
      actions={
        <Button
          {...DIMMED_BUTTON}
          size="xs"
          onClick={() => {
            added.delete(webhook.id);
            onDone();
          }}
        >
          {words.webhooks.done}
        </Button>
      }
    >
      {showsSecret && !props.elsewhere ? (
        <SecretField fresh name="secret" value={secret.data?.current ?? null} />
      ) : null}
      {remarks.length === 0 ? null : (
        <div className={stack["dimmed"]}>
          {remarks.map((remark) => (
            <p key={remark.code}>{remarkWords(remark)}</p>
          ))}
        </div>
      )}
    </Panel>
  );
}

function aboutNew(isJson: boolean, showsSecret: boolean): string {
  if (!isJson) {
    return words.webhooks.readyChat;
  }
  return showsSecret ? words.webhooks.readySecret : words.webhooks.readyNoSecret;
}
