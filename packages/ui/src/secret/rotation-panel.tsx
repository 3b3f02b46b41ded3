import type { Webhook } from "@markethook/client";
import { NativeSelect, Radio, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { BusyButton } from "../shared/busy-button.tsx";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { useWebhookActions } from "../webhooks/use-webhook-actions.ts";

const OVERLAPS = [
  { value: "86400", label: "by itself after a day" },
  { value: "604800", label: "by itself after a week" },
  { value: "hand", label: "only when I say so" },
];

/** Both ways to a new secret, explained. */
export function RotationPanel({ webhook, onMade }: { webhook: Webhook; onMade: () => void }) {
  const { rotate } = useWebhookActions(webhook.id);
  const [mode, setMode] = useState<"overlap" | "switch_now">("overlap");
  const [overlap, setOverlap] = useState("86400");
  const isLeak = mode === "switch_now";
  const start = (): void => {
    if (!isLeak) {
      onMade();
      rotate.mutate({ mode, overlapSeconds: overlap === "hand" ? null : Number(overlap) });
      return;
    }
    rotate.mutate(
      { mode },
      {
        onSuccess: () =>
          notifications.show({
            title: "Switched",
            message: "Every request is signed with the new secret from now on.",
          }),
      },
    );
  };
  return (
    <Panel
      title="New secret"
      about="When the secret has leaked, or when you change it from time to time."
    >
      <div className={`${stack["stack"]} ${stack["narrow"]}`}>
        <Radio.Group
          aria-label="How to change the secret"
          value={mode}
          onChange={(choice) => setMode(choice === "switch_now" ? choice : "overlap")}
        >
          <Stack gap="md">
            <Radio
              value="overlap"
              label="I switch when my server has the new one"
              description="Both secrets sign meanwhile, and nothing is refused. You can send a ping signed with the new one first."
            />
            <Radio
              value="switch_now"
              label="It leaked: switch now"
              description="The old secret stops at once. Your server refuses requests until it has the new one; they are sent again later."
            />
          </Stack>
        </Radio.Group>
        {isLeak ? null : (
          <NativeSelect
            label="The old secret stops"
            data={OVERLAPS}
            value={overlap}
            onChange={(event) => setOverlap(event.currentTarget.value)}
          />
        )}
        <ErrorNotice error={rotate.error} />
        <div>
          <BusyButton
            busy={rotate.isPending}
            variant={isLeak ? "filled" : "default"}
            {...(isLeak ? { color: "red.8" } : {})}
            onClick={start}
          >
            {isLeak ? "Switch now" : "Make a new secret"}
          </BusyButton>
        </div>
      </div>
    </Panel>
  );
}
