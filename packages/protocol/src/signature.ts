import { createHmac } from "node:crypto";
import { standardKey } from "./secret.ts";

/** `X-{Service}-Signature`: HMAC-SHA256 of the posted bytes under the secret's text, 64 lower-case hex digits. */
export function signBody(secret: string, body: Uint8Array | string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/**
 * One `v1,<base64>` of the Standard Webhooks signature over `id.timestamp.body`, or null where the secret
 * is not base64.
 */
export function signStandard(
  secret: string,
  id: string,
  /** Unix seconds. */
  timestamp: number,
  body: Uint8Array | string,
): string | null {
  const key = standardKey(secret);
  if (key === null) return null;
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${mac.digest("base64")}`;
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
  const signatures: RequestSignatures = { signature: signBody(secrets.current, body) };
  const standard = [signStandard(secrets.current, id, timestamp, body)];
  if (secrets.next !== undefined) {
    signatures.signatureNext = signBody(secrets.next, body);
    standard.push(signStandard(secrets.next, id, timestamp, body));
  }
  const present = standard.filter((value) => value !== null);
  if (present.length > 0) signatures.standard = present.join(" ");
  return signatures;
}
