import type { Verification, VerifyInput } from "@markethook/api";
import { ERRORS } from "@markethook/protocol";
import { verifyEachSignature } from "@markethook/cli/verify";

/** Judges a pasted request and each of its signatures, but not its age: it may have been sent long ago. */
export function verifyRequest(
  { headers, body, secrets }: VerifyInput,
  serviceName: string,
): Verification {
  const options = { serviceName, toleranceSeconds: Infinity };
  const result = verifyEachSignature(body, Object.entries(headers), secrets, options);
  if (result.ok) {
    return { valid: true, event: result.kind === "event" ? result.event.event : result.name };
  }
  const [likeliest] = result.causes;
  const code = likeliest?.code ?? result.code;
  if (result.wrong !== undefined) {
    const sentence = [result.sentence, ...(likeliest === undefined ? [] : [likeliest.sentence])];
    return { valid: false, cause: { code, sentence: sentence.join(" "), advice: ONE_WRONG } };
  }
  const sentence = likeliest?.sentence ?? result.sentence;
  // The catalogue's advice points to the library's list of causes, and this is the likeliest of them.
  const advice = result.code === "signature_mismatch" ? MISFIT : ERRORS[result.code].advice;
  return { valid: false, cause: { code, sentence, advice } };
}

const MISFIT = "Do not act on a request whose signature does not fit.";

const ONE_WRONG =
  "Every signature of a genuine request fits. Look for what made or changed this header on its way.";
