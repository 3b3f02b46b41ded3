import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "@markethook/client";
import stack from "../shared/stack.module.css";
import { CheckRequest } from "./check-request.tsx";
import { ForgeryCheck } from "./forgery-check.tsx";
import { useSession } from "../session/session.ts";
import { CodeBlock } from "../shared/code-block.tsx";
import { Panel } from "../shared/panels.tsx";
import { opensslFor } from "./openssl.ts";
import { RECEIVERS, receiverFor } from "./samples.ts";
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

/** By their paths from here. */
const FILES = import.meta.glob<string>("../../../../examples/receivers/[rR]eceiver.*", {
  query: "?raw",
  import: "default",
  eager: true,
});
const SHELL = "curl, openssl";

/** Complete code with this service's own header names, for this webhook's kind of secret. */
function SampleCode({ webhook }: { webhook: Webhook }) {
  const { info } = useSession();
  const [shown, setShown] = useState("receiver.mjs");
  const language = RECEIVERS[shown];
  const standard = webhook.standardSignature;
  const target = { serviceName: info.serviceName, standard };
  const code = FILES[`../../../../examples/receivers/${shown}`] ?? "";
  return (
    <Panel
      title={words.verify.codeTitle}
      about={
        <>
          {" "}
          {words.verify.codeText(<code>{info.headerNames.signature}</code>)}{" "}
          {(standard ? words.verify.codeStandard : words.verify.codeImported)(
            info.serviceName,
          )}{" "}
        </>
      }
    >
      <div className={stack["scroll"]}>
        <SegmentedControl
          aria-label={words.verify.language}
          value={shown}
          onChange={setShown}
          data={[
            ...Object.entries(RECEIVERS).map(([value, label]) => ({ value, label })),
            { value: SHELL, label: SHELL },
          ]}
        />
      </div>
      <CodeBlock
        title={language === undefined ? words.verify.byHand : shown}
        label={words.verify.codeIn(language ?? SHELL)}
        text={language === undefined ? opensslFor(target) : receiverFor(code, target)}
        tall
      />
    </Panel>
  );
}
