import type { Webhook } from "@markethook/client";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import { SecretField } from "./secret-field.tsx";
import { useSecret } from "./use-secret.ts";
import { words } from "../words/words.ts";

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
