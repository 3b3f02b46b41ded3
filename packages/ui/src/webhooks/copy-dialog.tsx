import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useResources } from "../api/use-resources.ts";
import { Dialog } from "../shared/dialog.tsx";
import stack from "../shared/stack.module.css";
import { UserText } from "../shared/user-text.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { CopyResults } from "./copy-results.tsx";
import classes from "./copy-dialog.module.css";
import { useWebhookActions } from "./use-webhook-actions.ts";

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
      <Dialog title="Copied" opened={opened} onClose={close} closeLabel="Done" size="lg">
        <CopyResults results={copy.data} resources={others} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Copy to my other resources"
      opened={opened}
      onClose={close}
      error={copy.error ?? resources.error}
      confirm={{
        label: chosen.length === 0 ? "Copy" : `Copy to ${chosen.length}`,
        off: chosen.length === 0,
        busy: copy.isPending,
        onClick: () => copy.mutate(chosen),
      }}
    >
      {others.length === 0 ? (
        <p>You have no other resource, or this page was opened for this one alone.</p>
      ) : (
        <>
          <p className={stack["dimmed"]}>
            {webhook.format === "json"
              ? "The same URL and events; each copy gets its own secret, shown next."
              : "The same channel, events and messages."}
          </p>
          {others.length < 2 ? null : (
            <Checkbox
              label="All"
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
            aria-label="Resources"
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
