import type { Webhook } from "@markethook/client";
import { Panel } from "../shared/panel.tsx";
import stack from "../shared/stack.module.css";
import { CheckRequest } from "./check-request.tsx";
import { SampleCode } from "./sample-code.tsx";

/** How this webhook's requests are verified, and a check of one. */
export function VerifyTab({ webhook }: { webhook: Webhook }) {
  if (webhook.format !== "json") {
    return (
      <Panel
        title="Nothing to verify"
        about="This webhook posts into a chat. Only a receiver that you build gets signed requests."
      />
    );
  }
  return (
    <div className={stack["stack"]}>
      <SampleCode />
      <CheckRequest webhook={webhook} />
    </div>
  );
}
