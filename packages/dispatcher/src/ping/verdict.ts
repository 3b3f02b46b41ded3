import { readsLikeRefusal } from "../deliver/reads-like-refusal.ts";
import type { Probe, ProbeKind, ProbeName } from "./checkup-probes.ts";

type CheckupVerdict =
  | "refuses_forgeries"
  | "accepts_recorded"
  | "accepts_forgeries"
  | "cannot_tell"
  | "ping_failed";

/** A receiver's reply to one request. */
export interface CheckupReply {
  /** Null: no reply came. */
  status: number | null;
  /** The text of the body, cut. */
  body: string;
  /** Null if there is a status; otherwise the failure, in words for people. */
  failure: string | null;
  ms: number;
}

type Finding =
  /** The reply is right. */
  | "right"
  /** The receiver works, and could be better. */
  | "remark"
  | "wrong"
  /** No reply, or one without a meaning. */
  | "unknown";

export interface ProbeResult extends CheckupReply {
  probe: ProbeName;
  /** The request in a few words. */
  title: string;
  /** Genuine requests must be accepted, all others refused. */
  kind: ProbeKind;
  finding: Finding;
  /** The conclusion from the reply, for the owner. */
  sentence: string;
}

export interface CheckupJudgement {
  verdict: CheckupVerdict;
  sentence: string;
  advice: string | null;
}

const JUDGEMENTS: Readonly<Record<CheckupVerdict, CheckupJudgement>> = {
  refuses_forgeries: {
    verdict: "refuses_forgeries",
    sentence: "Your server refuses forged requests.",
    advice: null,
  },
  accepts_recorded: {
    verdict: "accepts_recorded",
    sentence: "Your server refuses forgeries, and accepts recorded requests a second time.",
    advice:
      "Verify webhook-signature and the time, and remember each webhook-id. Code that does so is on the webhook's page, under Verify requests.",
  },
  accepts_forgeries: {
    verdict: "accepts_forgeries",
    sentence:
      "Your server accepts forged requests: anyone who knows its address can give away your product.",
    advice:
      "Verify the signature before anything else, and reply 401 where it does not fit. Code that does so is on the webhook's page, under Verify requests.",
  },
  cannot_tell: {
    verdict: "cannot_tell",
    sentence:
      "Cannot tell: your server replies 2xx to forged requests. If it acts on them, anyone who knows its address can give away your product.",
    advice: "Reply 401 to a request whose signature does not fit, and check again.",
  },
  ping_failed: {
    verdict: "ping_failed",
    sentence: "Your server did not accept the genuine ping, so nothing else was sent.",
    advice: "Get a ping accepted with 2xx first.",
  },
};

const NO_REPLY: CheckupJudgement = {
  verdict: "cannot_tell",
  sentence: "Cannot tell: your server did not reply to each forged request, or asked to wait.",
  advice: "Check again in a minute. Reply 401 at once to a request whose signature does not fit.",
};

export const PING_FAILED = JUDGEMENTS.ping_failed;

/** Judges the reply to one probe. `statusOfWrong`: the status that refused a wrong signature; null: none did. */
export function findingOf(
  { name, kind, title, wrong }: Probe,
  reply: CheckupReply,
  statusOfWrong: number | null,
): ProbeResult {
  const result = (finding: Finding, sentence: string): ProbeResult => ({
    probe: name,
    title,
    kind,
    finding,
    sentence,
    ...reply,
  });
  const { status, failure } = reply;
  if (status === null) return result("unknown", failure ?? "No reply came.");
  if (status === 429) return result("unknown", "Your server asked for fewer requests.");
  if (kind === "genuine") {
    return isAccepted(reply)
      ? result("right", "Accepted, as it must be.")
      : result("remark", wrong);
  }
  if (isAccepted(reply)) return result("wrong", wrong);
  if (status >= 500) {
    return result("remark", "Refused with a server error: probably by a crash. Reply 401 instead.");
  }
  if (name === "not_json" && statusOfWrong !== null && status !== statusOfWrong) {
    return result(
      "remark",
      `Refused, with ${status} in place of ${statusOfWrong}: the body is read before its signature is verified. Verify first, and parse afterwards.`,
    );
  }
  return result("right", "Refused, as it must be.");
}

/** Judges all replies together. `ping`: the reply to the genuine one. */
export function judgeCheckup(
  ping: CheckupReply,
  results: readonly ProbeResult[],
): CheckupJudgement {
  const of = (kind: ProbeKind): ProbeResult[] => results.filter((result) => result.kind === kind);
  const forged = of("forged");
  const accepted = forged.filter(isAccepted);
  if (accepted.length > 0) {
    return acceptsAll(ping, forged, accepted)
      ? JUDGEMENTS.cannot_tell
      : JUDGEMENTS.accepts_forgeries;
  }
  if (forged.some(isUnknown)) return NO_REPLY;
  const recorded = of("recorded");
  if (recorded.some(isAccepted)) return JUDGEMENTS.accepts_recorded;
  return recorded.some(isUnknown) ? NO_REPLY : JUDGEMENTS.refuses_forgeries;
}

/**
 * Many servers reply 2xx to everything, and some of them verify nevertheless. So a forged request counts as accepted
 * only if its reply equals the genuine ping's, and the server refuses something else, such as a body that is not JSON.
 */
function acceptsAll(
  ping: CheckupReply,
  forged: readonly ProbeResult[],
  accepted: readonly ProbeResult[],
): boolean {
  const others = forged.filter((one) => !isAccepted(one));
  if (others.length === 0) return true;
  const repliesAsToPing = accepted.some(
    ({ body }) => body === ping.body && readsLikeRefusal(body) === null,
  );
  return !repliesAsToPing && others.every(({ probe }) => probe === "not_json");
}

function isUnknown({ finding }: ProbeResult): boolean {
  return finding === "unknown";
}

export function isAccepted({ status }: CheckupReply): boolean {
  return status !== null && status >= 200 && status < 300;
}
