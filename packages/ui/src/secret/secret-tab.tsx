import type { Webhook } from "@markethook/client";
import type { PingControl } from "../webhooks/ping-panel.tsx";
import { useState } from "react";
import stack from "../shared/stack.module.css";
import { OpenRotation, RotationPanel } from "./rotation.tsx";
import { useSecret, useSeesSecrets, useWholeUrl } from "./use-secret.ts";
import { useSession } from "../session/session.ts";
import { ErrorNotice, Panel } from "../shared/panels.tsx";
import { words } from "../words/words.ts";
import { BusyButton } from "../shared/buttons.tsx";
import { SecretField } from "./secret-field.tsx";

/** The secret, and the way to a new one. */
export function SecretTab({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const { info } = useSession();
  const seesSecrets = useSeesSecrets();
  const [isFresh, setIsFresh] = useState(false);
  if (!seesSecrets) {
    return <Panel title={words.secret.secret} about={words.secret.notShown(info.serviceName)} />;
  }
  return (
    <div className={stack["stack"]}>
      <SecretPanel webhook={webhook} />
      {webhook.rotation === null ? (
        <RotationPanel webhook={webhook} onMade={() => setIsFresh(true)} />
      ) : (
        <OpenRotation webhook={webhook} ping={ping} fresh={isFresh} />
      )}
    </div>
  );
}

/** Hidden until it is revealed: the tabs are also opened for other tasks, when somebody else may look on. */
export function SecretPanel({ webhook }: { webhook: Webhook }) {
  const secret = useSecret(webhook.id, false);
  const name = webhook.rotation === null ? "secret" : "oldSecret";
  return (
    <Panel title={words.secret[name]} about={words.secret.about}>
      <SecretField
        name={name}
        value={secret.data?.current ?? null}
        read={async () => (await secret.read())?.current ?? null}
      />
      {webhook.standardSignature ? null : <p>{words.secret.imported}</p>}
      <ErrorNotice error={secret.error} />
    </Panel>
  );
}

/** The whole URL, on request: the service notes that somebody has seen it. */
export function AddressPanel({ webhook }: { webhook: Webhook }) {
  const seesSecrets = useSeesSecrets();
  const [wanted, setWanted] = useState(false);
  const whole = useWholeUrl(webhook.id, wanted);
  if (!seesSecrets) return null;
  return (
    <Panel title={words.secret.wholeAddress} about={words.secret.wholeAddressText}>
      {whole.data === undefined ? (
        <div>
          <BusyButton
            variant="default"
            busy={whole.isFetching}
            onClick={() => {
              setWanted(true);
              // After a refusal it is wanted already.
              void whole.refetch();
            }}
          >
            {words.secret.showAddress}
          </BusyButton>
        </div>
      ) : (
        <SecretField name="address" value={whole.data} fresh />
      )}
      <ErrorNotice error={whole.error} />
    </Panel>
  );
}
