import type { Webhook } from "@markethook/client";
import { useState } from "react";
import { BusyButton } from "../shared/busy-button.tsx";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import { SecretField } from "./secret-field.tsx";
import { useSeesSecrets, useWholeUrl } from "./use-secret.ts";
import { words } from "../words/words.ts";

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
          <BusyButton variant="default" busy={whole.isFetching} onClick={() => setWanted(true)}>
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
