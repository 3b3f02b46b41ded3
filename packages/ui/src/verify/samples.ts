/** The values in which services and webhooks differ. */
export interface SampleFor {
  /** As it stands in the names of headers. */
  serviceName: string;
  /** Whether `webhook-signature` is sent, which covers id and time. False: an imported secret is not base64. */
  standard: boolean;
}

/** Receivers without a library, by their files in `examples/receivers`. */
export const RECEIVERS: Readonly<Record<string, string>> = {
  "receiver.mjs": "Node",
  "receiver.py": "Python",
  "receiver.php": "PHP",
  "Receiver.java": "Java",
  "receiver.go": "Go",
};

/** The code that checks `webhook-signature`, up to the comment on the other signature. */
const STANDARD_CHECK = /\n.*webhook-signature covers[^]*?(?=\n.*This one covers)/;
/** The imports that only this code uses. */
const ITS_IMPORTS =
  /^(?:\t"(?:encoding\/base64|strconv|strings)"|import (?:base64|re|time|java\.time\.Instant;|java\.util\.Base64;))\n/gm;

/** A receiver of `examples/receivers` as it verifies the requests of this webhook. */
export function receiverFor(code: string, { serviceName, standard }: SampleFor): string {
  const written: Readonly<Record<string, string>> = {
    "X-Service-": `X-${serviceName}-`,
    "x-service-": `x-${serviceName.toLowerCase()}-`,
    X_SERVICE_: `X_${serviceName.toUpperCase().replaceAll("-", "_")}_`,
  };
  const whole = standard ? code : code.replace(STANDARD_CHECK, "").replace(ITS_IMPORTS, "");
  return whole.replaceAll(/X[-_]SERVICE[-_]/gi, (name) => written[name] ?? name);
}
