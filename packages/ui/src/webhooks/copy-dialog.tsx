import { Checkbox, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import type { CopyResult, Resource, Webhook } from "@markethook/client";
import { useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import stack from "../shared/stack.module.css";
import { unseenLabel, UserText } from "../shared/inline-text.tsx";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { words } from "../words/first-words.ts";
import { SecretField } from "../secret/secret-field.tsx";
import { Notice } from "../shared/panels.tsx";
import { fromService } from "../words/rich.ts";

/** One request takes no more. */
const MOST = 100;

export function CopyDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { copy } = useWebhookActions(webhook.id);
  const resources = useResources();
  const webhooks = useWebhooks(opened);
  const [chosen, setChosen] = useState<string[]>([]);
  const others = resources.data?.filter(({ id }) => id !== webhook.resourceId);
  const close = (): void => {
    onClose();
    setChosen([]);
    // A copy that is under way is kept: its secrets are shown when this is opened again.
    if (!copy.isPending) copy.reset();
  };
  useEffect(() => {
    if (opened || copy.data === undefined) return;
    const refusal = refusalOfAll(copy.data);
    const message = refusal === null ? words.shared.copied : refusedWords(refusal);
    notifications.show({ message });
  }, [opened, copy.data]);
  if (copy.data !== undefined) {
    const isRefused = refusalOfAll(copy.data) !== null;
    return (
      <Dialog
        title={isRefused ? words.webhooks.copyTitle : words.shared.copied}
        opened={opened}
        onClose={close}
        closeLabel={words.webhooks.done}
        size="lg"
      >
        <CopyResults results={copy.data} resources={others ?? []} />
      </Dialog>
    );
  }
  // If the webhooks cannot be read, only the remarks about existing ones are missing.
  const isRead = others !== undefined && !webhooks.isPending;
  return (
    <Dialog
      title={words.webhooks.copyTitle}
      opened={opened}
      onClose={close}
      error={copy.error ?? resources.error}
      confirm={{
        label: words.webhooks.copy(chosen.length),
        off: chosen.length === 0,
        busy: copy.isPending,
        onClick: () => copy.mutate(chosen),
      }}
    >
      {isRead ? (
        <Targets
          webhook={webhook}
          others={others}
          webhooks={webhooks.data ?? []}
          chosen={chosen}
          onChoose={(next) => setChosen(next.slice(0, MOST))}
        />
      ) : resources.error === null ? (
        <p role="status">{words.shared.loading}</p>
      ) : null}
    </Dialog>
  );
}

interface TargetsProps {
  webhook: Webhook;
  others: readonly Resource[];
  webhooks: readonly Webhook[];
  chosen: string[];
  onChoose: (resourceIds: string[]) => void;
}

/** The resources to choose from. Those with a webhook to the same place come last, and are chosen only one by one. */
function Targets({ webhook, others, webhooks, chosen, onChoose }: TargetsProps) {
  if (others.length === 0) return <p>{words.webhooks.noOther}</p>;
  const isJson = webhook.format === "json";
  const alike = webhooks.filter(
    ({ url, format }) => url === webhook.url && format === webhook.format,
  );
  const served = new Set(alike.map(({ resourceId }) => resourceId));
  const lacking = others.filter(({ id }) => !served.has(id));
  const all = lacking.slice(0, MOST).map(({ id }) => id);
  const besides = chosen.filter((id) => !all.includes(id));
  return (
    <>
      <p className={stack["dimmed"]}>
        {isJson ? words.webhooks.copyJson : words.webhooks.copyChat}
      </p>
      {all.length < 2 ? null : (
        <Checkbox
          label={allLabel(lacking.length, others.length)}
          checked={all.every((id) => chosen.includes(id))}
          onChange={(event) =>
            onChoose(event.currentTarget.checked ? [...all, ...besides] : besides)
          }
        />
      )}
      <Checkbox.Group
        value={chosen}
        onChange={onChoose}
        {...unseenLabel(words.webhooks.resources)}
        mah="20rem"
        p={2}
        style={{ overflow: "auto" }}
      >
        <Stack gap="xs">
          {[...lacking, ...others.filter(({ id }) => served.has(id))].map(({ id, title }) => (
            <Checkbox
              key={id}
              value={id}
              label={<UserText>{title}</UserText>}
              description={served.has(id) ? words.webhooks.sendsThere(isJson) : undefined}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}

type Refusal = Extract<CopyResult, { status: "rejected" }>;

/** The first refusal, if no copy was made. */
function refusalOfAll(results: readonly CopyResult[]): Refusal | null {
  const refused = results.filter((result) => result.status === "rejected");
  return refused.length === results.length ? (refused[0] ?? null) : null;
}

function refusedWords({ title, detail }: Refusal) {
  return words.webhooks.notCopied(fromService(title), fromService(detail));
}

function allLabel(lacking: number, others: number): string {
  if (lacking > MOST) return words.webhooks.firstWithout(MOST);
  return lacking === others ? words.webhooks.allOfThem : words.webhooks.allWithout(lacking);
}

function CopyResults(props: { results: CopyResult[]; resources: Resource[] }) {
  const titles = new Map(props.resources.map(({ id, title }) => [id, title]));
  const secrets = props.results.flatMap((result) =>
    result.status === "rejected" || result.secret === undefined
      ? []
      : [[result.webhookId, result.secret] as const],
  );
  return (
    <>
      {secrets.length < 2 ? null : (
        <div className={stack["spread"]}>
          <p className={stack["dimmed"]}>{words.webhooks.secretsById}</p>
          <CopyButton
            text={JSON.stringify(Object.fromEntries(secrets), null, 2)}
            label={words.webhooks.allSecrets}
            short={words.webhooks.copyAllSecrets}
          />
        </div>
      )}
      <ul className={stack["stack"]} style={{ maxHeight: "26rem", overflow: "auto" }}>
        {props.results.map((result) => (
          <li key={result.resourceId}>
            <CopyOutcome
              result={result}
              title={titles.get(result.resourceId) ?? result.resourceId}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function CopyOutcome({ result, title }: { result: CopyResult; title: string }) {
  if (result.status === "rejected") {
    return (
      <Notice kind="warn" title={<UserText>{title}</UserText>}>
        {refusedWords(result)}
      </Notice>
    );
  }
  // A copy that posts into a chat has no secret.
  if (result.secret === undefined) return <UserText>{title}</UserText>;
  const label = words.webhooks.secretFor(title);
  return <SecretField name="secret" label={label} value={result.secret} />;
}
