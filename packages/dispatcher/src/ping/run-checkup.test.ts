import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeSecret, type RenderedRequest, signBody, signRequest } from "@markethook/protocol";
import { type Checkup, runCheckup } from "./run-checkup.ts";
import type { CheckupReply } from "./verdict.ts";

/** What a sample receiver replies: a status, or one with a body. Null: nothing, ever. */
type Reply = number | [status: number, body: string] | null;

interface Received {
  /** By names in lower case; undefined: not there. */
  header(name: string): string | undefined;
  body: string;
  /** What this receiver remembers. */
  notes: string[];
}

const SECRET = makeSecret(randomBytes);
const FIVE_MINUTES = 300;

function standardFits({ header, body }: Received): boolean {
  const id = header("webhook-id") ?? "";
  const expected = signRequest(
    { current: SECRET },
    id,
    Number(header("webhook-timestamp")),
    body,
  ).standard;
  return header("webhook-signature")?.split(" ").includes(String(expected)) === true;
}

const expectedOf = ({ body }: Received): string => signBody(SECRET, body);
const givenOf = ({ header }: Received): string | undefined => header("x-service-signature");
const serviceFits = (received: Received): boolean => givenOf(received) === expectedOf(received);
const isNear = ({ header }: Received): boolean =>
  Math.abs(Date.now() / 1000 - Number(header("webhook-timestamp") ?? NaN)) < FIVE_MINUTES;

/** As the page's samples do. */
const verifies = (received: Received): boolean =>
  standardFits(received) && serviceFits(received) && isNear(received);
const careful = (received: Received): number => (verifies(received) ? 200 : 401);

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const FORGED = [
  "no_signature",
  "empty_signature",
  "wrong_signature",
  "near_signature",
  "changed_body",
];
const RECORDED = ["other_id", "old", "no_standard_signature"];

const SAMPLES: readonly {
  name: string;
  reply: (received: Received) => Reply;
  verdict: Checkup["verdict"];
  /** Probes that were not found right. */
  found: readonly string[];
}[] = [
  {
    name: "one that verifies all, as the samples do",
    reply: careful,
    verdict: "refuses_forgeries",
    found: [],
  },
  {
    name: "one that accepts everything that it can read",
    reply: ({ body }) => (isJson(body) ? [200, "ok"] : [400, "bad request"]),
    verdict: "accepts_forgeries",
    found: [...FORGED, ...RECORDED],
  },
  {
    name: "one that verifies signatures only where there are any",
    reply: (received) => (givenOf(received) === undefined ? 200 : careful(received)),
    verdict: "accepts_forgeries",
    found: ["no_signature"],
  },
  {
    name: "one that compares as many characters as came",
    reply: (received) => {
      const given = givenOf(received);
      return given !== undefined && expectedOf(received).startsWith(given) ? 200 : 401;
    },
    verdict: "accepts_forgeries",
    found: ["empty_signature", ...RECORDED],
  },
  {
    name: "one that compares the first eight characters",
    reply: (received) =>
      givenOf(received)?.slice(0, 8) === expectedOf(received).slice(0, 8) ? 200 : 401,
    verdict: "accepts_forgeries",
    found: ["near_signature", ...RECORDED],
  },
  {
    name: "one that parses before it verifies",
    reply: (received) => (isJson(received.body) ? careful(received) : 400),
    verdict: "refuses_forgeries",
    found: ["not_json"],
  },
  {
    name: "one that ignores the time",
    reply: (received) => (standardFits(received) && serviceFits(received) ? 200 : 401),
    verdict: "accepts_recorded",
    found: ["old"],
  },
  {
    name: "one that ignores the id",
    reply: (received) =>
      serviceFits(received) &&
      (received.header("webhook-timestamp") === undefined || isNear(received))
        ? 200
        : 401,
    verdict: "accepts_recorded",
    found: ["other_id", "no_standard_signature"],
  },
  {
    name: "one that verifies, and replies 200 to all",
    reply: (received) => [200, verifies(received) ? "ok" : "invalid signature"],
    verdict: "cannot_tell",
    found: [...FORGED, "not_json", ...RECORDED],
  },
  {
    name: "one that verifies and replies 200 to all, behind a parser",
    reply: (received) =>
      isJson(received.body) ? [200, verifies(received) ? "ok" : "invalid signature"] : 400,
    verdict: "cannot_tell",
    found: [...FORGED, ...RECORDED],
  },
  {
    name: "one that replies 204 without a look",
    reply: () => 204,
    verdict: "cannot_tell",
    found: [...FORGED, "not_json", ...RECORDED],
  },
  {
    name: "one that replies 500 to events that it does not know",
    reply: (received) =>
      verifies(received) && !received.body.includes('"event":"ping"') ? 500 : careful(received),
    verdict: "refuses_forgeries",
    found: ["unknown_event"],
  },
  {
    name: "one that crashes where a signature does not fit",
    reply: (received) => (verifies(received) ? 200 : 500),
    verdict: "refuses_forgeries",
    found: [...FORGED, "not_json", ...RECORDED],
  },
  {
    name: "one that takes a repeated event for an attack",
    reply: (received) => (received.header("x-service-attempt") === "1" ? careful(received) : 409),
    verdict: "refuses_forgeries",
    found: ["repeat"],
  },
  {
    name: "one that lets forgeries hang",
    reply: (received) => (verifies(received) ? 200 : null),
    verdict: "cannot_tell",
    found: [...FORGED, "not_json", ...RECORDED],
  },
  {
    name: "one that asks to wait after a few wrong signatures",
    reply: (received) => {
      if (verifies(received)) return 200;
      received.notes.push("wrong");
      return received.notes.length > 3 ? 429 : 401;
    },
    verdict: "cannot_tell",
    found: ["near_signature", "changed_body", "not_json", ...RECORDED],
  },
  {
    name: "one that asks to wait before the recorded ones",
    reply: (received) => {
      if (verifies(received)) return 200;
      received.notes.push("wrong");
      return received.notes.length > 6 ? 429 : 401;
    },
    verdict: "cannot_tell",
    found: RECORDED,
  },
];

function replyOf(reply: Reply): CheckupReply {
  if (reply === null) return { status: null, body: "", failure: "It took too long.", ms: 15_000 };
  const [status, body] = typeof reply === "number" ? [reply, ""] : reply;
  return { status, body, failure: null, ms: 1 };
}

async function check(reply: (received: Received) => Reply, elapsed = () => 0) {
  const sent: RenderedRequest[] = [];
  const notes: string[] = [];
  const checkup = await runCheckup({
    subject: {
      profile: { serviceName: "Service", userAgent: "test" },
      webhook: {
        url: "https://receiver.example/hook?a=1",
        secrets: { current: SECRET },
      },
      constants: {
        eventId: "evt_h84hxx3zz19h",
        eventName: "ping",
        eventTime: 1_700_000_000,
        payload: '{"product":{"id":"castle"}}',
        webhookId: "wh_00000000000000000001",
        resourceId: "castle",
        deliveryId: "dlv_h84hxx3zz19h",
      },
      randomBytes,
      wallNow: Date.now,
    },
    ping: { status: 200, body: "ok", failure: null, ms: 1 },
    async send(request) {
      sent.push(request);
      const headers = new Map(
        request.headers.map(([name, value]) => [name.toLowerCase(), value.trim()]),
      );
      assert.equal(Number(headers.get("content-length")), Buffer.byteLength(request.body));
      return replyOf(reply({ header: (name) => headers.get(name), body: request.body, notes }));
    },
    now: elapsed,
  });
  return { checkup, sent };
}

for (const { name, reply, verdict, found } of SAMPLES) {
  test(`the right verdict for ${name}`, async () => {
    const { checkup } = await check(reply);
    assert.deepEqual(
      checkup.probes.filter(({ finding }) => finding !== "right").map(({ probe }) => probe),
      found,
    );
    assert.equal(checkup.verdict, verdict);
    assert.equal(checkup.advice === null, verdict === "refuses_forgeries");
    for (const { sentence } of checkup.probes) assert.match(sentence, /^[A-Z].+\.$/);
  });
}

test("each request is marked with its probe, and goes to the same place", async () => {
  const { checkup, sent } = await check(careful);
  assert.deepEqual(
    sent.map(({ headers }) => headers.find(([name]) => name === "X-Service-Checkup")?.[1]),
    checkup.probes.map(({ probe }) => probe),
  );
  assert.deepEqual([...new Set(sent.map(({ target }) => target))], ["/hook?a=1"]);
});

test("what a receiver replies is shown, long replies cut", async () => {
  const { checkup } = await check(() => [200, "😀".repeat(1000)]);
  for (const { body } of checkup.probes) {
    assert.ok(body.length <= 500 && body.isWellFormed() && body.endsWith("…"));
  }
});

test("a receiver that takes its time does not keep its owner waiting for all probes", async () => {
  let now = 0;
  const { checkup, sent } = await check(
    () => 401,
    () => (now += 8000),
  );
  assert.ok(sent.length < checkup.probes.length);
  assert.equal(checkup.verdict, "cannot_tell");
  assert.match(String(checkup.probes.at(-1)?.sentence), /^Not sent/);
});
