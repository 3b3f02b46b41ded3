import type { SendableWebhook } from "@markethook/store";
import { Door, type Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import { checkTarget, type CheckTargetDeps } from "../guard/check-target.ts";

/**
 * For a staging copy of real data: nothing is sent except to addresses that the settings allow, so no receiver hears of
 * a purchase twice. Everything is accepted, stored and shown as usual.
 */
export interface DryRun {
  /** Whether requests to this URL are sent. A name that cannot be resolved gets none. */
  mayGo(url: string): Promise<boolean>;
}

export function createDryRun({ allow, blockedPorts, resolver }: CheckTargetDeps): DryRun {
  const only = { ...allow, exclusive: true };
  return {
    async mayGo(url) {
      if (allow.entries.length === 0) return false;
      const verdict = await checkTarget(url, { allow: only, blockedPorts, resolver });
      return verdict.ok && verdict.resolved;
    },
  };
}

/**
 * Deliveries that must not be sent stay in the database, and are checked again after this time: names may lead
 * elsewhere by then.
 */
const VERDICT_MS = 3_600_000;
const VERDICTS = 10_000;

/** Webhooks wait here for the verdict on their URL, and then pass or are given back. */
class Verdict extends Door {
  /** Monotonic milliseconds. Infinity: it is not decided yet. */
  validUntil = Infinity;

  override until(): number {
    return this.validUntil;
  }
}

/** The gate of a dry run. A URL is judged when its webhook first asks. */
export function createDryRunGate(
  dryRun: DryRun,
  now: () => number,
  wake: (place: Place) => void,
): Gate {
  /** Verdicts by URL. */
  const verdicts = new Map<string, Verdict>();

  function judge({ url, host }: SendableWebhook): Verdict {
    if (verdicts.size >= VERDICTS) verdicts.clear();
    const verdict = new Verdict("dry-run", host);
    verdicts.set(url, verdict);
    void dryRun.mayGo(url).then((mayGo) => {
      verdict.isOpen = mayGo;
      verdict.validUntil = now() + VERDICT_MS;
      wake(verdict);
    });
    return verdict;
  }

  return {
    reasons: ["dry-run"],
    wait(webhook) {
      let verdict = verdicts.get(webhook.url);
      if (verdict === undefined || verdict.validUntil <= now()) verdict = judge(webhook);
      return verdict.isOpen ? null : verdict;
    },
  };
}
