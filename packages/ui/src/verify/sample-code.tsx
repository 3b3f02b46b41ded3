import type { Webhook } from "@markethook/client";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../session/session.ts";
import { CodeBlock } from "../shared/code-block.tsx";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { SAMPLES } from "./samples.ts";
import { words } from "../words/words.ts";

/** Complete code with this service's own header names, for this webhook's kind of secret. */
export function SampleCode({ webhook }: { webhook: Webhook }) {
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
