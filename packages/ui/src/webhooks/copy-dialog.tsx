import { Checkbox, Stack, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { CopyResult, Resource } from "@markethook/client";
import { useResources } from "../api/resources-and-webhooks.ts";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/inline-text.tsx";
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
  const [chosen, setChosen] = useState<string[]>([]);
  const others = resources.data?.filter(({ id }) => id !== webhook.resourceId) ?? [];
  const close = (): void => {
    onClose();
    copy.reset();
    setChosen([]);
  };
  if (copy.data !== undefined) {
    return (
      <Dialog
        title={words.webhooks.copied}
        opened={opened}
        onClose={close}
        closeLabel={words.webhooks.done}
        size="lg"
      >
        <CopyResults results={copy.data} resources={others} />
      </Dialog>
    );
  }
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
      {others.length === 0 ? (
        <p>{words.webhooks.noOther}</p>
      ) : (
        <>
          <p className={stack["dimmed"]}>
            {webhook.format === "json" ? words.webhooks.copyJson : words.webhooks.copyChat}
          </p>
          {others.length < 2 ? null : (
            <Checkbox
              label={words.webhooks.allOfThem}
              checked={chosen.length === Math.min(others.length, MOST)}
              onChange={(event) =>
                setChosen(
                  event.currentTarget.checked ? others.slice(0, MOST).map(({ id }) => id) : [],
                )
              }
            />
          )}
          <Checkbox.Group
            value={chosen}
            onChange={(next) => setChosen(next.slice(0, MOST))}
            label={<VisuallyHidden>{words.webhooks.resources}</VisuallyHidden>}
            labelProps={{ className: stack["unseen"] ?? "" }}
            mah="20rem"
            p={2}
            style={{ overflow: "auto" }}
          >
            <Stack gap="xs">
              {others.map(({ id, title }) => (
                <Checkbox key={id} value={id} label={<UserText>{title}</UserText>} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </Dialog>
  );
}

function CopyResults(props: { results: CopyResult[]; resources: Resource[] }) {
  const titles = new Map(props.resources.map(({ id, title }) => [id, title]));
  return (
    <ul className={stack["stack"]} style={{ maxHeight: "26rem", overflow: "auto" }}>
      {props.results.map((result) => (
        <li key={result.resourceId}>
          <CopyOutcome result={result} title={titles.get(result.resourceId) ?? result.resourceId} />
        </li>
      ))}
    </ul>
  );
}

function CopyOutcome({ result, title }: { result: CopyResult; title: string }) {
  if (result.status === "rejected") {
    return (
      <Notice kind="warn" title={<UserText>{title}</UserText>}>
        {words.webhooks.notCopied(fromService(result.title), fromService(result.detail))}
      </Notice>
    );
  }
  // A copy that posts into a chat has no secret.
  if (result.secret === undefined) return <UserText>{title}</UserText>;
  const label = words.webhooks.secretFor(title);
  return <SecretField name="secret" label={label} value={result.secret} />;
}
