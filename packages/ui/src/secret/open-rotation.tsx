import { BusyButton } from "../shared/buttons.tsx";
import type { Webhook } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import type { PingControl } from "../ping/use-ping.ts";
import { useSession } from "../session/session.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { When } from "../shared/inline-text.tsx";
import { useWebhookActions } from "../webhooks/use-webhook-actions.ts";
import { SecretField } from "./secret-field.tsx";
import { useSecret } from "./use-secret.ts";
import { words } from "../words/words.ts";

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
        <BusyButton
          busy={switchSecret.isPending}
          onClick={() =>
            switchSecret.mutate(undefined, {
              onSuccess: () => notifications.show({ message: words.secret.newSigns }),
            })
          }
        >
          {words.secret.switchNow}
        </BusyButton>
        <BusyButton
          variant="subtle"
          color="gray"
          c="dimmed"
          busy={cancelRotation.isPending}
          onClick={() =>
            cancelRotation.mutate(undefined, {
              onSuccess: () => notifications.show({ message: words.secret.oldStays }),
            })
          }
        >
          {words.secret.keepOld}
        </BusyButton>
      </div>
    </Panel>
  );
}
