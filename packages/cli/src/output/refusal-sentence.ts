import { ERRORS } from "@markethook/protocol";
import type { VerifyFailure } from "@markethook/receiver";

/** Without the advice to look at the library's `causes`, which are printed below it. */
export function refusalSentence({ code, sentence }: VerifyFailure): string {
  return code === "signature_mismatch" ? ERRORS[code].title : sentence;
}
