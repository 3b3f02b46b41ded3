import { Radio, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { HeldDeliveries } from "@markethook/client";
import { keys } from "../api/query-cache.ts";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import { UserText } from "../shared/inline-text.tsx";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { words } from "../words/first-words.ts";

export function PauseDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { pause } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title={words.webhooks.pauseTitle}
      opened={opened}
      onClose={() => closeAfter(pause, onClose)}
      error={pause.error}
      confirm={{
        label: words.webhooks.pause,
        busy: pause.isPending,
        onClick: () => pause.mutate(undefined, { onSuccess: onClose }),
      }}
    >
      <p>{words.webhooks.pauseText}</p>
    </Dialog>
  );
}

export function ResumeDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { resume } = useWebhookActions(webhook.id);
  const [held, setHeld] = useState<HeldDeliveries>("send");
  const queries = useQueryClient();
  const countHeld = useEffectEvent(
    () => void queries.invalidateQueries({ queryKey: keys.webhook(webhook.id), exact: true }),
  );
  useEffect(() => {
    if (opened) countHeld();
  }, [opened]);
  // Nobody drops anything because it was chosen the last time.
  const close = (): void => {
    setHeld("send");
    closeAfter(resume, onClose);
  };
  return (
    <Dialog
      title={words.webhooks.resumeTitle}
      opened={opened}
      onClose={close}
      error={resume.error}
      confirm={{
        label: words.webhooks.resume,
        busy: resume.isPending,
        onClick: () => resume.mutate(held, { onSuccess: close }),
      }}
    >
      <Radio.Group
        label={words.webhooks.whatOfHeld(webhook.held)}
        value={held}
        onChange={(choice) => setHeld(choice === "drop" ? "drop" : "send")}
      >
        <Stack gap="sm" mt="sm">
          <Radio
            value="send"
            label={words.webhooks.sendAll}
            description={words.webhooks.sendAllText}
          />
          <Radio
            value="drop"
            label={words.webhooks.dropAll}
            description={words.webhooks.dropAllText}
          />
        </Stack>
      </Radio.Group>
    </Dialog>
  );
}

export function DeleteDialog(props: WebhookDialogProps & { onDeleted: () => void }) {
  const { webhook, opened, onClose, onDeleted } = props;
  const { url, description } = webhook;
  const named = description === "" ? `${url} (${webhook.id})` : `${description} (${url})`;
  const { remove } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title={words.webhooks.deleteTitle}
      opened={opened}
      onClose={() => closeAfter(remove, onClose)}
      error={remove.error}
      confirm={{
        label: words.webhooks.deleteWebhook,
        danger: true,
        busy: remove.isPending,
        onClick: () =>
          remove.mutate(undefined, {
            onSuccess: () => {
              onClose();
              onDeleted();
            },
          }),
      }}
    >
      <p>{words.webhooks.deleteText(<UserText>{named}</UserText>, webhook.format !== "json")}</p>
    </Dialog>
  );
}

/** A failure is forgotten with the dialog that shows it; what is under way still has its say. */
function closeAfter(action: { isError: boolean; reset: () => void }, onClose: () => void): void {
  if (action.isError) action.reset();
  onClose();
}
