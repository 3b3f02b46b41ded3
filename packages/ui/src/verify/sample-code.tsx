import type { Webhook } from "@markethook/client";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../session/session-context.ts";
import { CodeBlock } from "../shared/code-block.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { SAMPLES } from "./samples.ts";

/** Complete code with this service's own header names, for this webhook's kind of secret. */
export function SampleCode({ webhook }: { webhook: Webhook }) {
  const { info } = useSession();
  const [language, setLanguage] = useState(SAMPLES[0]?.id ?? "");
  const sample = SAMPLES.find(({ id }) => id === language);
  const { signature, signatureNext } = info.headerNames;
  const standard = webhook.standardSignature;
  return (
    <Panel
      title="Code for your server"
      about={
        <>
          <code>{signature}</code> is the SHA-256 HMAC of the raw body, keyed with the secret, as 64
          hexadecimal digits.{" "}
          {standard ? (
            <>
              <code>webhook-signature</code> covers <code>webhook-id</code> and the time of sending
              too. If one of them differs or the time is not near, the request is not from{" "}
              {info.serviceName}: do not act on it.
            </>
          ) : (
            <>
              If it differs, the request is not from {info.serviceName}: do not act on it. This
              secret was imported and cannot make <code>webhook-signature</code>: with the receiver
              library set <code>require: &quot;service&quot;</code>, and better make a new secret.
            </>
          )}
        </>
      }
    >
      <div className={stack["scroll"]}>
        <SegmentedControl
          aria-label="Language"
          value={language}
          onChange={setLanguage}
          data={SAMPLES.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      {sample === undefined ? null : (
        <CodeBlock
          title={sample.file}
          label={`${sample.name} code`}
          text={sample.write({ signature, signatureNext, standard })}
          tall
        />
      )}
    </Panel>
  );
}
