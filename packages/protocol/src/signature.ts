import { type HmacKey, hmacKey, hmacSha256 } from "./hmac.ts";
import { standardKey } from "./secret.ts";

/** `X-{Service}-Signature`: HMAC-SHA256 of the posted bytes under the secret's text, 64 lower-case hex digits. */
export function signBody(secret: string, body: Uint8Array | string): string {
  return hmacSha256(textKey(secret), body, "hex");
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
  return `v1,${hmacSha256(hmacKey(key), standardMessage(id, timestamp, body), "base64")}`;
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
  const { current, next } = keysOf(secrets);
  const message = standardMessage(id, timestamp, body);
  const signatures: RequestSignatures = { signature: hmacSha256(current.text, body, "hex") };
  let standard = standardOf(current, message);
  if (next !== null) {
    signatures.signatureNext = hmacSha256(next.text, body, "hex");
    const second = standardOf(next, message);
    standard = standard === "" || second === "" ? standard + second : `${standard} ${second}`;
  }
  if (standard !== "") signatures.standard = standard;
  return signatures;
}

interface SecretKeys {
  text: HmacKey;
  /** Null where the secret is no base64. */
  standard: HmacKey | null;
}

/** Made once for as long as somebody holds the secrets. */
const ready = new WeakMap<SigningSecrets, { current: SecretKeys; next: SecretKeys | null }>();

function keysOf(secrets: SigningSecrets) {
  let keys = ready.get(secrets);
  if (keys === undefined) {
    const { current, next } = secrets;
    keys = { current: secretKeys(current), next: next === undefined ? null : secretKeys(next) };
    ready.set(secrets, keys);
  }
  return keys;
}

function secretKeys(secret: string): SecretKeys {
  const standard = standardKey(secret);
  return { text: textKey(secret), standard: standard === null ? null : hmacKey(standard) };
}

function textKey(secret: string): HmacKey {
  return isItsOwnKey(secret) ? secret : hmacKey(Buffer.from(secret));
}

/** Plain ASCII, and no longer than a block, as nearly all are. */
function isItsOwnKey(secret: string): boolean {
  return secret.length <= 64 && Buffer.byteLength(secret) === secret.length;
}

function standardMessage(id: string, timestamp: number, body: Uint8Array | string) {
  const head = `${id}.${timestamp}.`;
  return typeof body === "string" ? head + body : Buffer.concat([Buffer.from(head), body]);
}

function standardOf({ standard }: SecretKeys, message: Uint8Array | string): string {
  return standard === null ? "" : `v1,${hmacSha256(standard, message, "base64")}`;
}
