import { notifications } from "@mantine/notifications";
import { Dialog } from "../shared/dialog.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { words } from "../words/first-words.ts";

export function PauseDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { pause } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title={words.webhooks.pauseTitle}
      opened={opened}
      onClose={onClose}
      error={pause.error}
      confirm={{
        label: words.webhooks.pause,
        busy: pause.isPending,
        onClick: () =>
          pause.mutate(undefined, {
            onSuccess: () => {
              onClose();
              notifications.show({ message: words.webhooks.paused });
            },
          }),
      }}
    >
      <p>{words.webhooks.pauseText}</p>
    </Dialog>
  );
}
