import {
  makeNonce,
  makeSecret,
  type RandomBytes,
  RenderedRequest,
  type SigningSecrets,
  standardKey,
} from "@markethook/protocol";
import { requestOf, type Unsigned } from "../send/signed-request.ts";

/** A request of a check-up after the genuine ping. */
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
 * `genuine`: signed like every request, to be accepted. `forged`: made without the secret. `recorded`: a genuine
 * request that is sent again, later or with other headers. Both are to be refused.
 */
export type ProbeKind = "genuine" | "forged" | "recorded";

export interface Probe {
  name: ProbeName;
  kind: ProbeKind;
  /** The request in a few words. */
  title: string;
  /** The sentence for a wrong reply. */
  wrong: string;
  make(subject: Subject): RenderedRequest;
}

/** The input of a check-up: one ping that the receiver has accepted, and the webhook that it was sent to. */
export interface Subject extends Pick<Unsigned, "profile" | "constants" | "webhook"> {
  randomBytes: RandomBytes;
  wallNow: () => number;
}

const OLD_SECONDS = 3600;
/** No event has or will have this name. */
const UNKNOWN_EVENT = "checkup.unknown";

/** In the order in which they are sent. Genuine ones come first: a receiver may block the sender of a forged one. */
const PROBES: readonly Probe[] = [
  {
    name: "repeat",
    kind: "genuine",
    title: "The same event once more",
    wrong:
      "When a reply gets lost, the event comes again. Reply 2xx to a webhook-id that you have seen, and do nothing else.",
    make: (subject) => signed(subject, { attempt: 2 }),
  },
  {
    name: "unknown_event",
    kind: "genuine",
    title: "An event with a name that you do not know",
    wrong:
      "New kinds of events may come. Reply 2xx to names that you do not know, or their deliveries count as failed.",
    make: (subject) => signed(subject, { event: UNKNOWN_EVENT }),
  },
  {
    name: "no_signature",
    kind: "forged",
    title: "No signature at all",
    wrong: "A request without any signature was accepted.",
    make: (subject) =>
      changed(signed(subject), (name, value) => (isSignature(name) ? null : value)),
  },
  {
    name: "empty_signature",
    kind: "forged",
    title: "Empty signatures",
    wrong:
      "Empty signatures were accepted. Perhaps only as many characters are compared as came, or the secret is empty.",
    make: (subject) => changed(signed(subject), (name, value) => (isSignature(name) ? "" : value)),
  },
  {
    name: "wrong_signature",
    kind: "forged",
    title: "Signed with another secret",
    wrong: "Signatures made with another secret were accepted.",
    make: (subject) => signed(subject, { secrets: foreign(subject) }),
  },
  {
    name: "near_signature",
    kind: "forged",
    title: "One character of the signature changed",
    wrong: "A signature with one wrong character was accepted. Compare all of it.",
    make: (subject) =>
      changed(signed(subject), (name, value) => (isSignature(name) ? near(value) : value)),
  },
  {
    name: "changed_body",
    kind: "forged",
    title: "A body that was changed after it was signed",
    wrong: "A changed body was accepted. Verify the raw body, exactly as it came.",
    make: (subject) => {
      const request = signed(subject);
      return withBody(request, request.body.replace('"time":', '"time":1'));
    },
  },
  {
    name: "not_json",
    kind: "forged",
    title: "No JSON, and signed with another secret",
    wrong: "A body that is no JSON was accepted.",
    make: (subject) =>
      withBody(signed(subject, { secrets: foreign(subject) }), "This is not JSON."),
  },
  {
    name: "other_id",
    kind: "recorded",
    title: "A recorded request under another webhook-id",
    wrong:
      "Anyone who has recorded a request can send it as a new event, as often as they like. Verify webhook-signature, which covers webhook-id.",
    make: (subject) =>
      changed(signed(subject), (name, value) =>
        name === "webhook-id" ? `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` : value,
      ),
  },
  {
    name: "old",
    kind: "recorded",
    title: "A request from an hour ago",
    wrong: "An old request was accepted. Refuse a webhook-timestamp more than five minutes away.",
    make: (subject) => signed(subject, { secondsAgo: OLD_SECONDS }),
  },
  {
    name: "no_standard_signature",
    kind: "recorded",
    title: "A recorded request without its webhook-… headers",
    wrong:
      "Without webhook-signature a request was accepted, so neither its id nor its time is covered. Require webhook-signature.",
    make: (subject) =>
      changed(signed(subject), (name, value) => (name.startsWith("webhook-") ? null : value)),
  },
];

/** A secret that is not base64 cannot make the signature that covers id and time, so recorded requests prove nothing. */
export function probesFor({ webhook }: Pick<Subject, "webhook">): readonly Probe[] {
  return standardKey(webhook.secrets.current) === null
    ? PROBES.filter(({ kind }) => kind !== "recorded")
    : PROBES;
}

/** Makes a request that is signed like every other. Without a change it is a genuine ping. */
export function signed(
  { profile, webhook, constants, randomBytes, wallNow }: Subject,
  { event = constants.eventName, attempt = 1, secondsAgo = 0, secrets = webhook.secrets } = {},
): RenderedRequest {
  return requestOf({
    profile,
    constants: { ...constants, eventName: event },
    attempt,
    webhook: { ...webhook, secrets },
    at: wallNow() - secondsAgo * 1000,
    nonce: makeNonce(randomBytes),
  }).request;
}

function foreign({ webhook, randomBytes }: Subject): SigningSecrets {
  const current = makeSecret(randomBytes);
  return webhook.secrets.next === undefined
    ? { current }
    : { current, next: makeSecret(randomBytes) };
}

function isSignature(name: string): boolean {
  return name === "webhook-signature" || /^x-.+-signature(-next)?$/.test(name);
}

/** Changes one character near the end of each signature. A receiver that compares only the beginning misses it. */
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
  body = request.body,
): RenderedRequest {
  const [line = ""] = request.head.split("\r\n", 1);
  const headers = request.headers.flatMap(([name, value]) => {
    const next = change(name.toLowerCase(), value);
    return next === null ? [] : [`${name}: ${next}\r\n`];
  });
  return new RenderedRequest(request.url, `${line}\r\n${headers.join("")}\r\n`, body);
}

/** Replaces the body and keeps the signatures of the old one. */
function withBody(request: RenderedRequest, body: string): RenderedRequest {
  const length = String(Buffer.byteLength(body));
  return changed(request, (name, value) => (name === "content-length" ? length : value), body);
}
