import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../session/session-context.ts";
import { CodeBlock } from "../shared/code-block.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { SAMPLES } from "./samples.ts";

/** Complete code with this service's own header names. */
export function SampleCode() {
  const { info } = useSession();
  const [language, setLanguage] = useState(SAMPLES[0]?.id ?? "");
  const sample = SAMPLES.find(({ id }) => id === language);
  return (
    <Panel
      title="Code for your receiver"
      about={
        <>
          The signature is in <code>{info.headerNames.signature}</code>: the SHA-256 HMAC of the raw
          body, keyed with the secret, as 64 hexadecimal digits. If it differs, the request is not
          from {info.serviceName}: do not act on it.
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
          text={sample.write(info.headerNames.signature)}
          tall
        />
      )}
    </Panel>
  );
}
