import type { Webhook } from "@markethook/client";
import { ErrorNotice } from "../shared/error-notice.tsx";
import { Panel } from "../shared/panel.tsx";
import { SecretField } from "./secret-field.tsx";
import { useSecret } from "./use-secret.ts";

/** Hidden until it is revealed: the tab is also opened to rotate, with somebody else looking on. */
export function SecretPanel({ webhook }: { webhook: Webhook }) {
  const secret = useSecret(webhook.id, false);
  return (
    <Panel
      title={webhook.rotation === null ? "Secret" : "Old secret"}
      about="Signs every request. Anyone who has it can forge requests to your server, so keep it out of code and chats."
    >
      <SecretField
        label={webhook.rotation === null ? "Secret" : "Old secret"}
        value={secret.data?.current ?? null}
        read={async () => (await secret.read())?.current ?? null}
      />
      {webhook.standardSignature ? null : (
        <p>
          This secret was imported and is no base64, so <code>webhook-signature</code> cannot be
          made with it. With the receiver library set <code>require: &quot;service&quot;</code>.
          Nothing then covers <code>webhook-id</code> and the time of sending: a new secret is
          better.
        </p>
      )}
      <ErrorNotice error={secret.error} />
    </Panel>
  );
}
