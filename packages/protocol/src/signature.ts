import { hmacKey, hmacSha256 } from "./hmac.ts";
import { standardText } from "./secret.ts";

/** `X-{Service}-Signature`: HMAC-SHA256 of the posted bytes under the secret's text, 64 lower-case hex digits. */
export function signBody(secret: string, body: Uint8Array | string): string {
  return hmacSha256(hmacKey(secret, "utf8"), body, "hex");
}

export interface SigningSecrets {
  current: string;
  /** The secret being rotated in, while both are valid. */
  next?: string;
}

export interface RequestSignatures {
  signature: string;
  signatureNext?: string;
  /** Space-separated `v1,…` values; absent where no secret is base64. */
  standard?: string;
}

/** Everything that one request is signed with. */
export function signRequest(
  secrets: SigningSecrets,
  id: string,
  timestamp: number,
  body: Uint8Array | string,
): RequestSignatures {
  const { current, next } = secrets;
  // Standard Webhooks sign `id.timestamp.body`.
  const head = `${id}.${timestamp}.`;
  const signatures: RequestSignatures = { signature: signBody(current, body) };
  let standard = standardOf(current, head, body);
  if (next !== undefined) {
    signatures.signatureNext = signBody(next, body);
    const second = standardOf(next, head, body);
    standard =
      standard === null || second === null ? (standard ?? second) : `${standard} ${second}`;
  }
  if (standard !== null) signatures.standard = standard;
  return signatures;
}

/** Null: the secret is not base64. */
function standardOf(secret: string, head: string, body: Uint8Array | string): string | null {
  const key = standardText(secret);
  return key === null ? null : `v1,${hmacSha256(hmacKey(key, "base64"), body, "base64", head)}`;
}
