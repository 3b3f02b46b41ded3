import { notifications } from "@mantine/notifications";
import { Dialog, type WebhookDialogProps } from "../shared/dialog.tsx";
import { UserText } from "../shared/inline-text.tsx";
import { useWebhookActions } from "./use-webhook-actions.ts";
import { words } from "../words/first-words.ts";

export function DeleteDialog(props: WebhookDialogProps & { onDeleted: () => void }) {
  const { webhook, opened, onClose, onDeleted } = props;
  const { url, description } = webhook;
  const named = description === "" ? `${url} (${webhook.id})` : `${description} (${url})`;
  const { remove } = useWebhookActions(webhook.id);
  return (
    <Dialog
      title={words.webhooks.deleteTitle}
      opened={opened}
      onClose={onClose}
      error={remove.error}
      confirm={{
        label: words.webhooks.deleteWebhook,
        danger: true,
        busy: remove.isPending,
        onClick: () =>
          remove.mutate(undefined, {
            onSuccess: () => {
              onClose();
              notifications.show({ message: words.webhooks.deleted });
              onDeleted();
            },
          }),
      }}
    >
      <p>{words.webhooks.deleteText(<UserText>{named}</UserText>, webhook.format !== "json")}</p>
    </Dialog>
  );
}
