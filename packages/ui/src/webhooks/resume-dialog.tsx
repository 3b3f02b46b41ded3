import { Radio, Stack } from "@mantine/core";
import type { HeldDeliveries } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { Dialog } from "../shared/dialog.tsx";
import type { WebhookDialogProps } from "./dialog-props.ts";
import { useWebhookActions } from "./use-webhook-actions.ts";

export function ResumeDialog({ webhook, opened, onClose }: WebhookDialogProps) {
  const { resume } = useWebhookActions(webhook.id);
  const [held, setHeld] = useState<HeldDeliveries>("send");
  return (
    <Dialog
      title="Resume this webhook"
      opened={opened}
      onClose={onClose}
      error={resume.error}
      confirm={{
        label: "Resume",
        busy: resume.isPending,
        onClick: () =>
          resume.mutate(held, {
            onSuccess: () => {
              onClose();
              notifications.show({
                message:
                  held === "send"
                    ? "Resumed. What was held is being sent."
                    : "Resumed. What was held is being dropped.",
              });
            },
          }),
      }}
    >
      <Radio.Group
        label="What becomes of the deliveries held so far?"
        value={held}
        onChange={(choice) => setHeld(choice === "drop" ? "drop" : "send")}
      >
        <Stack gap="sm" mt="sm">
          <Radio
            value="send"
            label="Send all of them"
            description="In the order in which the events happened. What waits for its next attempt goes now too."
          />
          <Radio
            value="drop"
            label="Drop them"
            description="They stay in the log as cancelled, and can be sent again one by one."
          />
        </Stack>
      </Radio.Group>
    </Dialog>
  );
}
