import type { Webhook } from "@markethook/client";
import { NativeSelect, Radio, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { BusyButton, DIMMED_BUTTON } from "../shared/buttons.tsx";
import { ErrorNotice, Panel } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { useWebhookActions } from "../webhooks/use-webhook-actions.ts";
import { words } from "../words/words.ts";
import type { PingControl } from "../webhooks/ping-panel.tsx";
import { useSession } from "../session/session.ts";
import { unseenLabel, When } from "../shared/inline-text.tsx";
import { SecretField } from "./secret-field.tsx";
import { useSecret } from "./use-secret.ts";

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
            title: words.secret.switched,
            message: words.secret.switchedText,
          }),
      },
    );
  };
  return (
    <Panel title={words.secret.newSecret} about={words.secret.newSecretText}>
      <div className={`${stack["stack"]} ${stack["narrow"]}`}>
        <Radio.Group
          {...unseenLabel(words.secret.how)}
          value={mode}
          onChange={(choice) => setMode(choice === "switch_now" ? choice : "overlap")}
        >
          <Stack gap="md">
            <Radio
              value="overlap"
              label={words.secret.overlap}
              description={words.secret.overlapText}
            />
            <Radio
              value="switch_now"
              label={words.secret.leaked}
              description={words.secret.leakedText}
            />
          </Stack>
        </Radio.Group>
        {isLeak ? null : (
          <NativeSelect
            label={words.secret.oldStops}
            data={[
              { value: "86400", label: words.secret.afterDay },
              { value: "604800", label: words.secret.afterWeek },
              { value: "hand", label: words.secret.byHand },
            ]}
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
            {isLeak ? words.secret.switchNow : words.secret.makeNew}
          </BusyButton>
        </div>
      </div>
    </Panel>
  );
}

interface OpenRotationProps {
  webhook: Webhook;
  ping: PingControl;
  /** The new secret was made just now. */
  fresh: boolean;
}

/** Two secrets sign: the three steps to the new one alone. */
export function OpenRotation({ webhook, ping, fresh }: OpenRotationProps) {
  const { info } = useSession();
  const { switchSecret, cancelRotation } = useWebhookActions(webhook.id);
  const secret = useSecret(webhook.id, fresh);
  const until = webhook.rotation?.until ?? null;
  return (
    <Panel
      title={words.secret.introducing}
      about={
        until === null
          ? words.secret.bothUntilSwitch
          : words.secret.bothUntil(<When at={until} exact />)
      }
    >
      <SecretField
        fresh={fresh}
        name="newSecret"
        value={secret.data?.next ?? null}
        read={async () => (await secret.read())?.next ?? null}
      />
      <ol className={stack["steps"]}>
        <li>{words.secret.stepCopy}</li>
        <li>
          {words.secret.stepPing(
            <code>{info.headerNames.signature}</code>,
            <code>{info.headerNames.signatureNext}</code>,
          )}
        </li>
        <li>{words.secret.stepSwitch}</li>
      </ol>
      <ErrorNotice error={switchSecret.error ?? cancelRotation.error ?? secret.error} />
      <div className={stack["row"]}>
        <BusyButton variant="default" busy={ping.isPending} onClick={() => ping.send("next")}>
          {words.secret.pingNew}
        </BusyButton>
        <BusyButton busy={switchSecret.isPending} onClick={() => switchSecret.mutate()}>
          {words.secret.switchNow}
        </BusyButton>
        <BusyButton
          {...DIMMED_BUTTON}
          busy={cancelRotation.isPending}
          onClick={() => cancelRotation.mutate()}
        >
          {words.secret.keepOld}
        </BusyButton>
      </div>
    </Panel>
  );
}
