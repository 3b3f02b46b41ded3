import { Checkbox, Stack, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { useResources } from "../api/use-resources.ts";
import { Dialog } from "../shared/dialog.tsx";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/inline-text.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { CopyResults } from "./copy-results.tsx";
import classes from "./copy-dialog.module.css";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { words } from "../words/first-words.ts";

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
            className={classes["choices"] ?? ""}
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
