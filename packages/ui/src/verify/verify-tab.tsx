import type { Webhook } from "@markethook/client";
import stack from "../shared/stack.module.css";
import { CheckRequest } from "./check-request.tsx";
import { ForgeryCheck } from "./forgery-check.tsx";
import { SampleCode } from "./sample-code.tsx";

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
