import type { RenderedRequest } from "@markethook/protocol";
import { withHeader } from "../send/signed-request.ts";
import { probesFor, type Subject } from "./checkup-probes.ts";
import {
  type CheckupJudgement,
  type CheckupReply,
  findingOf,
  isAccepted,
  judgeCheckup,
  type ProbeResult,
} from "./verdict.ts";

export interface Checkup extends CheckupJudgement {
  probes: ProbeResult[];
}

/** After this time no further probe is sent, so that a receiver that hangs does not keep its owner waiting. */
const LONGEST_MS = 40_000;
const SHOWN_CHARACTERS = 500;

/**
 * Tests whether a receiver refuses forgeries. Sends requests that it must accept and requests that it must refuse, one
 * after the other, and judges the replies. All of them are pings. Only these requests are not signed as the
 * specification says, so the receiver must have accepted a genuine ping just before.
 */
export async function runCheckup(options: {
  subject: Subject;
  /** The reply to the genuine ping. */
  ping: CheckupReply;
  send(request: RenderedRequest): Promise<CheckupReply>;
  now: () => number;
  /** True: the service waits for the check-up's end, so no further probe is sent. */
  isStopping?(): boolean;
}): Promise<Checkup> {
  const { subject, ping, send, now, isStopping = () => false } = options;
  const whyNot = (): string | null =>
    now() - startedAt > LONGEST_MS ? TOO_LONG : isStopping() ? STOPPING : null;
  const startedAt = now();
  const mark = `X-${subject.profile.serviceName}-Checkup`;
  const results: ProbeResult[] = [];
  let statusOfWrong: number | null = null;
  for (const probe of probesFor(subject)) {
    // A receiver's log can tell a check-up from an attack by this header.
    const request = withHeader(probe.make(subject), mark, probe.name);
    const failure = whyNot();
    const reply = failure === null ? shortened(await send(request)) : notSent(failure);
    if (probe.name === "wrong_signature" && !isAccepted(reply)) statusOfWrong = reply.status;
    results.push(findingOf(probe, reply, statusOfWrong));
  }
  return { ...judgeCheckup(shortened(ping), results), probes: results };
}

function shortened(reply: CheckupReply): CheckupReply {
  const { body } = reply;
  return body.length <= SHOWN_CHARACTERS
    ? reply
    : { ...reply, body: `${body.slice(0, SHOWN_CHARACTERS - 1)}…`.toWellFormed() };
}

const TOO_LONG = "Not sent: the requests before it took too long.";
const STOPPING = "Not sent: the service is being stopped. Check again in a moment.";

function notSent(failure: string): CheckupReply {
  return { status: null, body: "", failure, ms: 0 };
}
