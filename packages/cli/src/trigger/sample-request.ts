import { randomBytes } from "node:crypto";
import {
  checkShape,
  deliveryId,
  eventId,
  type EventName,
  isEventName,
  isNonce,
  makeNonce,
  makeRandomId,
  makeTag,
  PAYLOAD_SHAPES,
  product,
  RESOURCE_ID_PATTERN,
  signedRequest,
  WEBHOOK_ID_PREFIX,
} from "@markethook/protocol";
import { samplePayload } from "@markethook/receiver/testing";
import { usageFailure } from "../program/failure.ts";
import type { TriggeredRequest } from "./send.ts";

export interface SampleOptions {
  event: EventName;
  /** Version of the command, for the User-Agent. */
  version: string;
  url: string;
  /** The current one, and the next one during a rotation. */
  secrets: readonly string[];
  serviceName: string;
  resourceId: string;
  /** `path=value` each. */
  set: readonly string[];
  /** Counted from 0. */
  index: number;
}

/** A request of a sample event, with new ids and nonce; and a remark if no service would send it so. */
export function sampleRequest(options: SampleOptions): {
  request: TriggeredRequest;
  remark: string | null;
} {
  const timestamp = Math.floor(Date.now() / 1000);
  const { event: name, time, nonce, payload } = envelope(options, timestamp);
  const payloadText = JSON.stringify(payload);
  const tag = makeTag(randomBytes);
  const [current = "", next] = options.secrets;
  const secrets = next === undefined ? { current } : { current, next };
  const { request } = signedRequest(
    {
      serviceName: options.serviceName,
      userAgent: `Markethook/${options.version} (markethook trigger)`,
    },
    {
      eventId: eventId({ seq: options.index + 1, tag }),
      eventName: name,
      eventTime: time,
      payload: payloadText,
      webhookId: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId: options.resourceId,
      deliveryId: deliveryId({ seq: options.index + 1, tag }),
    },
    1,
    secrets,
    { url: options.url, nonce, timestamp },
  );
  const { url, headers, body } = request;
  return { request: { url, headers, body: Buffer.from(body) }, remark: remarkOn(name, payload) };
}

interface SampleEnvelope {
  event: string;
  time: number;
  nonce: string;
  payload: object;
}

function envelope(options: SampleOptions, now: number): SampleEnvelope {
  if (!new RegExp(RESOURCE_ID_PATTERN).test(options.resourceId)) {
    throw usageFailure(
      "A resource's id is 1 to 128 characters of A-Z a-z 0-9 - . _ ~, and neither `.` nor `..`.",
    );
  }
  const sample = samplePayload(options.event);
  sample.product = product("https://marketplace.example", {
    ...sample.product,
    id: options.resourceId,
  });
  if ("webhook" in sample) sample.webhook.url = options.url;
  const made: SampleEnvelope = {
    event: options.event,
    time: now,
    nonce: makeNonce(randomBytes),
    payload: sample,
  };
  for (const assignment of options.set) setMember(made, assignment);
  const { event, time, nonce } = made as unknown as Record<string, unknown>; // --set may have put in anything.
  if (typeof event !== "string" || !Number.isSafeInteger(time)) {
    throw usageFailure("event must be a text, and time an integer of Unix seconds.");
  }
  if (typeof nonce !== "string" || !isNonce(nonce)) {
    throw usageFailure("nonce must be 16 letters, digits, hyphens and underscores.");
  }
  return made;
}

function remarkOn(event: string, payload: object): string | null {
  if (!isEventName(event)) return `There is no event ${event}; sent all the same.`;
  const problem = checkShape(PAYLOAD_SHAPES[event], payload, "/payload");
  if (problem === null) return null;
  return `No service would send this: at ${problem.pointer}, ${problem.expected} is expected. Sent all the same.`;
}

const OF_ENVELOPE = new Set(["event", "time", "nonce", "payload"]);

/**
 * Carries out one `--set path=value`. A path that does not begin with a member of the envelope is one of its payload.
 * Where a text stands, the value is text; elsewhere it is JSON, or text where it is not JSON.
 */
export function setMember(envelope: object, assignment: string): void {
  const at = assignment.indexOf("=");
  const path = assignment.slice(0, at).split(".");
  if (at < 1 || path.includes("")) {
    throw usageFailure(
      `--set ${assignment} is not path=value.`,
      "Write for example --set user.id=42.",
    );
  }
  const whole = OF_ENVELOPE.has(path[0] ?? "") ? path : ["payload", ...path];
  const last = whole.at(-1) ?? "";
  let holder = envelope as Record<string, unknown>; // An object's members are looked up by name here.
  for (const name of whole.slice(0, -1)) {
    const inner = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (typeof inner !== "object" || inner === null) {
      const known = Object.keys(holder).join(", ");
      throw usageFailure(`--set ${assignment}: there is no object ${name}.`, `There are ${known}.`);
    }
    holder = inner as Record<string, unknown>; // Any object is one.
  }
  const text = assignment.slice(at + 1);
  const before = Object.hasOwn(holder, last) ? holder[last] : undefined;
  const value = typeof before === "string" ? text : jsonOrText(text);
  // Not by assignment: __proto__ would become something else than a member.
  Object.defineProperty(holder, last, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
