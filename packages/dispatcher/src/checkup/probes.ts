import {
  makeNonce,
  makeSecret,
  type RandomBytes,
  renderBody,
  RenderedRequest,
  renderRequest,
  type RequestConstants,
  type RequestSignatures,
  type SenderProfile,
  type SigningSecrets,
  signRequest,
  standardKey,
} from "@markethook/protocol";

/** A request of a check-up, after the genuine ping. */
export type ProbeName =
  | "repeat"
  | "unknown_event"
  | "no_signature"
  | "empty_signature"
  | "wrong_signature"
  | "near_signature"
  | "changed_body"
  | "not_json"
  | "other_id"
  | "old"
  | "no_standard_signature";

/**
 * `genuine`: signed as every request is, so it must be accepted. `forged`: made without the secret. `recorded`: a genuine
 * request that somebody has seen, and sends with other headers or later.
 */
export type ProbeKind = "genuine" | "forged" | "recorded";

export interface Probe {
  name: ProbeName;
  kind: ProbeKind;
  make(subject: Subject): RenderedRequest;
}

/** What a check-up is made of: one ping that the receiver has accepted, and what signs it. */
export interface Subject {
  profile: SenderProfile;
  url: string;
  secrets: SigningSecrets;
  /** The ping's. */
  constants: RequestConstants;
  randomBytes: RandomBytes;
  /** Unix milliseconds. */
  wallNow: () => number;
}

const OLD_SECONDS = 3600;
/** No event has this name, nor will. */
const UNKNOWN_EVENT = "checkup.unknown";

/** In the order in which they are sent: genuine ones first, as a receiver may turn away whoever sent forged ones. */
const PROBES: readonly Probe[] = [
  { name: "repeat", kind: "genuine", make: (subject) => signed(subject, { attempt: 2 }) },
  {
    name: "unknown_event",
    kind: "genuine",
    make: (subject) => signed(subject, { event: UNKNOWN_EVENT }),
  },
  {
    name: "no_signature",
    kind: "forged",
    make: (subject) =>
      changed(signed(subject), (name, value) => (isSignature(name) ? null : value)),
  },
  {
    name: "empty_signature",
    kind: "forged",
    make: (subject) => changed(signed(subject), (name, value) => (isSignature(name) ? "" : value)),
  },
  {
    name: "wrong_signature",
    kind: "forged",
    make: (subject) => signed({ ...subject, secrets: foreign(subject) }),
  },
  {
    name: "near_signature",
    kind: "forged",
    make: (subject) =>
      changed(signed(subject), (name, value) => (isSignature(name) ? near(value) : value)),
  },
  {
    name: "changed_body",
    kind: "forged",
    make: (subject) => {
      const { body } = signed(subject);
      return signed(subject, { body: body.replace(/"time":(\d+)/, '"time":1$1'), signs: body });
    },
  },
  {
    name: "not_json",
    kind: "forged",
    make: (subject) =>
      signed({ ...subject, secrets: foreign(subject) }, { body: "This is not JSON." }),
  },
  {
    name: "other_id",
    kind: "recorded",
    make: (subject) =>
      changed(signed(subject), (name, value) =>
        name === "webhook-id" ? `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` : value,
      ),
  },
  {
    name: "old",
    kind: "recorded",
    make: (subject) => signed(subject, { secondsAgo: OLD_SECONDS }),
  },
  {
    name: "no_standard_signature",
    kind: "recorded",
    make: (subject) =>
      changed(signed(subject), (name, value) => (name.startsWith("webhook-") ? null : value)),
  },
];

/** All of them, but what a secret that is no base64 cannot sign: that covers id and time. */
export function probesFor({ secrets }: Pick<Subject, "secrets">): readonly Probe[] {
  return standardKey(secrets.current) === null
    ? PROBES.filter(({ kind }) => kind !== "recorded")
    : PROBES;
}

/** Signed as a ping is, but for what is asked. */
function signed(
  { profile, url, secrets, constants, randomBytes, wallNow }: Subject,
  change: {
    event?: string;
    attempt?: number;
    secondsAgo?: number;
    body?: string;
    /** What the signatures are of, where it is not the body. */
    signs?: string;
  } = {},
): RenderedRequest {
  const name = change.event ?? constants.eventName;
  const nonce = makeNonce(randomBytes);
  const timestamp = Math.floor(wallNow() / 1000) - (change.secondsAgo ?? 0);
  const { eventId, eventTime, payload } = constants;
  const body = change.body ?? renderBody({ name, time: eventTime, nonce, payload });
  const signatures: RequestSignatures = signRequest(
    secrets,
    eventId,
    timestamp,
    change.signs ?? body,
  );
  const variables = { url, nonce, timestamp, ...signatures };
  return renderRequest(profile, constants, change.attempt ?? 1, variables, body);
}

function foreign({ secrets, randomBytes }: Subject): SigningSecrets {
  const current = makeSecret(randomBytes);
  return secrets.next === undefined ? { current } : { current, next: makeSecret(randomBytes) };
}

function isSignature(name: string): boolean {
  return name === "webhook-signature" || /^x-.+-signature(-next)?$/.test(name);
}

/** One character of each signature is another one, near its end: what compares only a beginning does not see it. */
function near(signatures: string): string {
  return signatures
    .split(" ")
    .map((one) => {
      const at = one.length - 6;
      return `${one.slice(0, at)}${one[at] === "a" ? "b" : "a"}${one.slice(at + 1)}`;
    })
    .join(" ");
}

/** @param change gets names in lower case; null leaves the header out. */
function changed(
  request: RenderedRequest,
  change: (name: string, value: string) => string | null,
): RenderedRequest {
  const [line = ""] = request.head.split("\r\n", 1);
  const headers = request.headers.flatMap(([name, value]) => {
    const next = change(name.toLowerCase(), value);
    return next === null ? [] : [`${name}: ${next}\r\n`];
  });
  return new RenderedRequest(request.url, `${line}\r\n${headers.join("")}\r\n`, request.body);
}
