import type { Verification, VerifyInput } from "@markethook/api";
import { ERRORS } from "@markethook/protocol";
import { verify } from "@markethook/receiver";

/** Judges a pasted request as the receiver library would, but for its age: it may have been sent long ago. */
export function verifyRequest(
  { headers, body, secrets }: VerifyInput,
  serviceName: string,
): Verification {
  const result = verify(body, headers, secrets, { serviceName, toleranceSeconds: Infinity });
  if (result.ok) {
    return { valid: true, event: result.kind === "event" ? result.event.event : result.name };
  }
  const [likeliest] = result.causes;
  return {
    valid: false,
    cause: {
      code: likeliest?.code ?? result.code,
      sentence: likeliest?.sentence ?? result.sentence,
      advice: ERRORS[result.code].advice,
    },
  };
}
