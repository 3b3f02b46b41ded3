import type { Webhook } from "@markethook/client";
import stack from "../shared/stack.module.css";
import { CheckRequest } from "./check-request.tsx";
import { SampleCode } from "./sample-code.tsx";

/** How this webhook's requests are verified, and a check of one. */
export function VerifyTab({ webhook }: { webhook: Webhook }) {
  return (
    <div className={stack["stack"]}>
      <SampleCode webhook={webhook} />
      <CheckRequest webhook={webhook} />
    </div>
  );
}
