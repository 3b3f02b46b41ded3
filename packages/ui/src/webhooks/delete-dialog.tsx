import { notifications } from "@mantine/notifications";
import { Dialog } from "../shared/dialog.tsx";
import { UserText } from "../shared/user-text.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { useWebhookActions } from "./use-webhook-actions.ts";

export function DeleteDialog(props: WebhookDialogProps & { onDeleted: () => void }) {
  const { webhook, opened, onClose, onDeleted } = props;
  const { url, description } = webhook;
  const named = description === "" ? url : `${description} (${url})`;
  const { remove } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title="Delete this webhook?"
      opened={opened}
      onClose={onClose}
      error={remove.error}
      confirm={{
        label: "Delete webhook",
        danger: true,
        busy: remove.isPending,
        onClick: () =>
          remove.mutate(undefined, {
            onSuccess: () => {
              onClose();
              notifications.show({ message: "Webhook deleted." });
              onDeleted();
            },
          }),
      }}
    >
      <p>
        Nothing more is sent to <UserText>{named}</UserText>. Its open deliveries are cancelled, and
        its {webhook.format === "json" ? "secret is" : "messages are"} gone. This cannot be undone;
        pausing can.
      </p>
    </Dialog>
  );
}
