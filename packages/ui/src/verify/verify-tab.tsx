import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "@markethook/client";
import stack from "../shared/stack.module.css";
import { CheckRequest } from "./check-request.tsx";
import { ForgeryCheck } from "./forgery-check.tsx";
import { useSession } from "../session/session.ts";
import { CodeBlock } from "../shared/code-block.tsx";
import { Panel } from "../shared/panels.tsx";
import { SAMPLES } from "./samples.ts";
import { words } from "../words/words.ts";

/** Whether this webhook's server verifies its requests, how it does, and a check of one request. */
export function VerifyTab({ webhook }: { webhook: Webhook }) {
  return (
    <div className={stack["stack"]}>
      <ForgeryCheck webhook={webhook} />
      <SampleCode webhook={webhook} />
      <CheckRequest webhook={webhook} />
    </div>
  );
}

/** Complete code with this service's own header names, for this webhook's kind of secret. */
function SampleCode({ webhook }: { webhook: Webhook }) {
  const { info } = useSession();
  const [language, setLanguage] = useState(SAMPLES[0]?.id ?? "");
  const sample = SAMPLES.find(({ id }) => id === language);
  const { signature, signatureNext } = info.headerNames;
  const standard = webhook.standardSignature;
  return (
    <Panel
      title={words.verify.codeTitle}
      about={
        <>
          {" "}
          {words.verify.codeText(<code>{signature}</code>)}{" "}
          {(standard ? words.verify.codeStandard : words.verify.codeImported)(
            info.serviceName,
          )}{" "}
        </>
      }
    >
      <div className={stack["scroll"]}>
        <SegmentedControl
          aria-label={words.verify.language}
          value={language}
          onChange={setLanguage}
          data={SAMPLES.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      {sample === undefined ? null : (
        <CodeBlock
          title={sample.file ?? words.verify.byHand}
          label={words.verify.codeIn(sample.name)}
          text={sample.write({ signature, signatureNext, standard })}
          tall
        />
      )}
    </Panel>
  );
}
