import { BusyButton } from "../shared/busy-button.tsx";
import type { Webhook } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import type { PingControl } from "../ping/use-ping.ts";
import { useSession } from "../session/session-context.ts";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/when.tsx";
import { useWebhookActions } from "../webhooks/use-webhook-actions.ts";
import { SecretField } from "./secret-field.tsx";
import { useSecret } from "./use-secret.ts";

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
      title="A new secret is being introduced"
      about={
        until === null ? (
          "Both secrets sign until you switch."
        ) : (
          <>
            Both secrets sign until <When at={until} exact />, then the new one alone.
          </>
        )
      }
    >
      <SecretField
        fresh={fresh}
        label="New secret"
        value={secret.data?.next ?? null}
        read={async () => (await secret.read())?.next ?? null}
      />
      <ol className={stack["steps"]}>
        <li>Copy the new secret into your server.</li>
        <li>
          Send a ping signed with it, and see in your server&apos;s log that it was verified.
          Meanwhile the old one&apos;s signature is in <code>{info.headerNames.signature}</code>,
          the new one&apos;s in <code>{info.headerNames.signatureNext}</code>.
        </li>
        <li>Switch.</li>
      </ol>
      <ErrorNotice error={switchSecret.error ?? cancelRotation.error ?? secret.error} />
      <div className={stack["row"]}>
        <BusyButton variant="default" busy={ping.isPending} onClick={() => ping.send("next")}>
          Ping with the new secret
        </BusyButton>
        <BusyButton
          busy={switchSecret.isPending}
          onClick={() =>
            switchSecret.mutate(undefined, {
              onSuccess: () => notifications.show({ message: "The new secret signs alone now." }),
            })
          }
        >
          Switch now
        </BusyButton>
        <BusyButton
          variant="subtle"
          color="gray"
          c="dimmed"
          busy={cancelRotation.isPending}
          onClick={() =>
            cancelRotation.mutate(undefined, {
              onSuccess: () => notifications.show({ message: "The old secret stays." }),
            })
          }
        >
          Keep the old secret
        </BusyButton>
      </div>
    </Panel>
  );
}
