/**
 * Writes the golden vectors under `vectors/`, for implementers of receivers in any language: one file per case
 * with everything that goes into a request and every byte that comes out. Nothing here is random and no clock
 * is read, so a second run changes nothing. `--check` writes nothing and fails where a file differs.
 */
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  headerNames,
  type Payloads,
  pingPayload,
  product,
  signedRequest,
  type SigningSecrets,
  STANDARD_HEADERS,
  updatePayload,
  userPayload,
} from "@markethook/protocol";

interface Case {
  file: string;
  about: string;
  secrets: SigningSecrets;
  serviceName?: string;
  event: keyof Payloads;
  payload: Payloads[keyof Payloads];
  /** JSON text of details that go along, as they were reported. */
  details?: string;
  /** 16 characters. */
  nonce: string;
  /** Counted from 1. */
  attempt?: number;
  url?: string;
}

const FOLDER = join(import.meta.dirname, "..", "vectors");
const EVENT_TIME = 1_767_312_000;
const SENT_AT = 1_767_312_005;
const SECRET = "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C";
const NEXT_SECRET = "k9Fw3Bn7Mv1Xc5Zl8Aj2Sd6Gh0Qe4Rt7Yu1Io5Pa9Wz3Ex2D";
const URL_SAVED = "https://receiver.example/hooks/markethook?shop=7";

const plain = product("https://marketplace.example", {
  id: "5127",
  title: "Better Farms",
  subtitle: "Crops that grow while you sleep",
});
const foreign = product("https://marketplace.example/", {
  id: "better_farms-2",
  title: "Größere Felder – 農場 🌾👩‍🌾",
  subtitle: "",
});

const CASES: readonly Case[] = [
  {
    file: "ping",
    about: "The ping button; a title beyond ASCII and an empty subtitle.",
    secrets: { current: SECRET },
    event: "ping",
    payload: pingPayload(foreign, URL_SAVED),
    nonce: "pInG_0000-nonce1",
  },
  {
    file: "product-update",
    about:
      "A posted update; its description has line breaks, quotes, backslashes, a tab and U+2028.",
    secrets: { current: SECRET },
    event: "product.update",
    payload: updatePayload(
      plain,
      {
        version: "2.3.0",
        id: "90071",
        time: 1_764_633_600,
        size: "48213",
        fileType: "jar",
        branch: "release",
      },
      {
        version: "2.4.0-rc.1",
        id: "90072",
        time: EVENT_TIME,
        size: "9007199254740993",
        fileType: "jar",
        branch: "snapshot",
        title: 'The "faster harvest" update',
        description:
          'Fixed:\n- no more "ghost" wheat\r\n- paths like C:\\farms\\new\t</script>\n\u2028Ünïcode & emoji: 🥕',
      },
    ),
    nonce: "upDaTe00-_nonce2",
  },
  {
    file: "product-user-purchase",
    about: "A purchase.",
    secrets: { current: SECRET },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    nonce: "AbCdEfGhIjKlMnOp",
  },
  {
    file: "product-user-purchase-removed",
    about:
      "A refund at its third attempt, of a service with another name; the largest user id there is.",
    secrets: { current: SECRET },
    serviceName: "Block-Market",
    event: "product.user.purchaseRemoved",
    payload: userPayload(plain, Number.MAX_SAFE_INTEGER),
    nonce: "----------------",
    attempt: 3,
  },
  {
    file: "product-user-first-download",
    about: "A first download; the smallest user id, and a URL with a port and without a path.",
    secrets: { current: SECRET },
    event: "product.user.firstDownload",
    payload: userPayload(foreign, 1),
    nonce: "________________",
    url: "http://receiver.example:8081",
  },
  {
    file: "product-user-purchase-details",
    about:
      "A purchase at a webhook whose owner wants its details: payload.details, after the members of every purchase.",
    secrets: { current: SECRET },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    details: '{"buyerName":"Jö \\"J\\" 🌾","amount":4.5,"currency":"EUR","orderId":"88213"}',
    nonce: "dEtaiLs0-nonce10",
  },
  {
    file: "rotation",
    about: "While a rotation is open: both secrets sign.",
    secrets: { current: SECRET, next: NEXT_SECRET },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    nonce: "rOtAtIoN-nonce_6",
  },
  {
    file: "imported-secret",
    about:
      "An imported secret that is not base64: it signs as its text, and webhook-signature is left out.",
    secrets: { current: "hunter2 & friends!" },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    nonce: "imPorTed-nonce_7",
  },
  {
    file: "imported-secret-whsec",
    about:
      "An imported secret with `whsec_`: X-Service-Signature is keyed with all of its text, webhook-signature with what the base64 behind the prefix decodes to.",
    secrets: { current: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    nonce: "whSec000-nonce_8",
  },
  {
    file: "imported-secret-rotation",
    about:
      "Rotating from an imported secret that is not base64: webhook-signature carries the new secret's value alone.",
    secrets: { current: "hunter2 & friends!", next: NEXT_SECRET },
    event: "product.user.purchase",
    payload: userPayload(plain, 4711),
    nonce: "imPoRot0-nonce_9",
  },
];

function vector(of: Case): object {
  const payload = JSON.stringify(of.payload);
  const profile = { serviceName: of.serviceName ?? "Service", userAgent: "Markethook/0.1.0" };
  const constants = {
    eventId: "evt_2s0m9k3x7q1z5v8",
    eventName: of.event,
    eventTime: EVENT_TIME,
    payload,
    ...(of.details === undefined ? {} : { details: of.details }),
    webhookId: "wh_4k8w2m6q0z3x7v1c5b9n",
    resourceId: of.payload.product.id,
    deliveryId: "dlv_7f0m9k3x7q1z5v8",
  };
  const attempt = of.attempt ?? 1;
  const { request, variables } = signedRequest(profile, constants, attempt, of.secrets, {
    url: of.url ?? URL_SAVED,
    nonce: of.nonce,
    timestamp: SENT_AT,
    ...(of.details === undefined ? {} : { withDetails: true }),
  });
  return {
    about: of.about,
    secret: of.secrets.current,
    ...(of.secrets.next === undefined ? {} : { nextSecret: of.secrets.next }),
    profile,
    constants,
    attempt,
    variables,
    request: {
      method: request.method,
      target: request.target,
      headers: request.headers,
      body: request.body,
      bodyLength: Buffer.byteLength(request.body),
      bodySha256: createHash("sha256").update(request.body).digest("hex"),
    },
    receiver: judgements(of, variables.standard !== undefined),
  };
}

/** The request arrives with these headers changed, or with null taken away, at a receiver that has all secrets. */
interface Judgement {
  about: string;
  /** The receiver's clock, in Unix seconds. */
  now: number;
  changes: Record<string, string | null>;
  /**
   * Whether it is to be accepted: by a receiver that requires `webhook-signature`, as all should, and by one that
   * requires `X-{Service}-Signature` alone, because its sender or its imported secret has no other.
   */
  accepts: { standard: boolean; service: boolean };
}

function judgements(of: Case, hasStandard: boolean): Judgement[] {
  const names = headerNames(of.serviceName ?? "Service");
  const plain = [names.signature, ...(of.secrets.next === undefined ? [] : [names.signatureNext])];
  const all = (headers: readonly string[], to: string | null) =>
    Object.fromEntries(headers.map((name) => [name, to]));
  // What only `webhook-signature` covers is refused for it, and goes unnoticed without it.
  const uncovered = { standard: false, service: !hasStandard };
  const good = { standard: hasStandard, service: true };
  return [
    { about: "As it was sent.", now: SENT_AT, changes: {}, accepts: good },
    {
      about: "Once more: accepted, but its webhook-id is known, so nothing is done.",
      now: SENT_AT + 1,
      changes: {},
      accepts: good,
    },
    { about: "After 300 seconds.", now: SENT_AT + 300, changes: {}, accepts: good },
    { about: "After 301 seconds.", now: SENT_AT + 301, changes: {}, accepts: uncovered },
    { about: "After an hour.", now: SENT_AT + 3600, changes: {}, accepts: uncovered },
    { about: "Of the future.", now: SENT_AT - 301, changes: {}, accepts: uncovered },
    {
      about: "Under another webhook-id.",
      now: SENT_AT,
      changes: { [STANDARD_HEADERS.id]: "evt_0another0000" },
      accepts: uncovered,
    },
    {
      about: "With a newer webhook-timestamp than was signed.",
      now: SENT_AT + 3600,
      changes: { [STANDARD_HEADERS.timestamp]: String(SENT_AT + 3600) },
      accepts: uncovered,
    },
    {
      about: "With all webhook-* headers taken away.",
      now: SENT_AT,
      changes: all(Object.values(STANDARD_HEADERS), null),
      accepts: { standard: false, service: true },
    },
    {
      about: "With the other signatures taken away.",
      now: SENT_AT,
      changes: all(plain, null),
      accepts: { standard: hasStandard, service: false },
    },
    {
      about: "With the other signatures made up.",
      now: SENT_AT,
      changes: all(plain, "0".repeat(64)),
      accepts: { standard: false, service: false },
    },
  ];
}

const wanted = new Map(
  CASES.map((of) => [`${of.file}.json`, `${JSON.stringify(vector(of), null, 2)}\n`]),
);
mkdirSync(FOLDER, { recursive: true });
const present = globSync("*.json", { cwd: FOLDER });
const left = present.filter((name) => !wanted.has(name));
if (process.argv.includes("--check")) {
  const missing = [...wanted.keys()].filter((name) => !present.includes(name));
  const changed = present.filter(
    (name) => wanted.has(name) && readFileSync(join(FOLDER, name), "utf8") !== wanted.get(name),
  );
  const wrong = [...left, ...missing, ...changed].sort();
  if (wrong.length > 0) {
    console.error(`Not what tools/vectors.ts makes: ${wrong.join(", ")}`);
    process.exitCode = 1;
  }
} else {
  for (const name of left) rmSync(join(FOLDER, name));
  for (const [name, text] of wanted) writeFileSync(join(FOLDER, name), text);
  console.log(`Wrote ${wanted.size} vectors to vectors/.`);
}
