import { notifications } from "@mantine/notifications";
import { Dialog } from "../shared/dialog.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { useWebhookActions } from "./use-webhook-actions.ts";

export function PauseDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { pause } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title="Pause this webhook?"
      opened={opened}
      onClose={onClose}
      error={pause.error}
      confirm={{
        label: "Pause",
        busy: pause.isPending,
        onClick: () =>
          pause.mutate(undefined, {
            onSuccess: () => {
              onClose();
              notifications.show({ message: "Paused. Deliveries are held." });
            },
          }),
      }}
    >
      <p>
        Events go on being recorded, and their deliveries are held. When you resume, you choose
        whether they are sent or dropped. Ping works meanwhile.
      </p>
    </Dialog>
  );
}
