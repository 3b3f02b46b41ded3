import { randomBytes } from "node:crypto";
import {
  type CheckupReply,
  isAccepted,
  PING_FAILED,
  runCheckup,
  signed,
} from "@markethook/dispatcher";
import {
  deliveryId,
  eventId,
  makeRandomId,
  makeTag,
  type RenderedRequest,
  WEBHOOK_ID_PREFIX,
} from "@markethook/protocol";
import { samplePayload } from "@markethook/receiver/testing";
import { VERSION } from "../version.ts";
import { type Answer, send } from "@markethook/cli/send";
import type { CheckupShown } from "./checkup-text.ts";

/** Runs a check-up from this machine, like the service: a ping of a sample resource, then the probes. */
export async function checkUrl(options: {
  url: string;
  /** The current secret, and the next one during a rotation. */
  secrets: readonly string[];
  serviceName: string;
  timeoutMs: number;
  interrupted: AbortSignal;
}): Promise<CheckupShown> {
  const { url, serviceName, timeoutMs, interrupted } = options;
  const [current = "", next] = options.secrets;
  const secrets = next === undefined ? { current } : { current, next };
  const tag = makeTag(randomBytes);
  const sample = samplePayload("ping");
  const subject = {
    profile: { serviceName, userAgent: `Markethook/${VERSION} (markethook check)` },
    webhook: { url, secrets },
    constants: {
      eventId: eventId({ seq: 1, tag }),
      eventName: "ping",
      eventTime: Math.floor(Date.now() / 1000),
      payload: JSON.stringify({ ...sample, webhook: { url } }),
      webhookId: makeRandomId(WEBHOOK_ID_PREFIX, randomBytes),
      resourceId: sample.product.id,
      deliveryId: deliveryId({ seq: 1, tag }),
    },
    randomBytes,
    wallNow: Date.now,
  };
  const post = async ({ headers, body }: RenderedRequest): Promise<CheckupReply> =>
    replyOf(await send({ url, headers, body: Buffer.from(body) }, timeoutMs, interrupted));

  const ping = await post(signed(subject));
  const accepted = isAccepted(ping);
  const shown = {
    outcome: accepted ? "ok" : "http_error",
    status: ping.status,
    sentence: ping.failure ?? (accepted ? "accepted." : "not accepted."),
    response: ping.status === null ? null : { body: ping.body },
  };
  if (!accepted) return { ...PING_FAILED, probes: [], ping: shown };
  const now = (): number => performance.now();
  return { ...(await runCheckup({ subject, ping, send: post, now })), ping: shown };
}

function replyOf(answer: Answer): CheckupReply {
  if ("error" in answer) return { status: null, body: "", failure: answer.error, ms: answer.ms };
  const body = answer.body?.toString("utf8") ?? "(a body of more than 64 KiB)";
  return { status: answer.status, body, failure: null, ms: answer.ms };
}
