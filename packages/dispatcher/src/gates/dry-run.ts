import type { SendableWebhook } from "@markethook/store";
import { Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { Resolver } from "../guard/resolver.ts";
import { bareHost, checkUrl, portOf } from "../guard/url-rules.ts";
import { vetAddresses } from "../guard/vet-addresses.ts";

/**
 * For a staging copy of real data: nothing is sent except to addresses that the settings allow, so no receiver hears of
 * a purchase twice. Everything is accepted, stored and shown as usual.
 */
export interface DryRun {
  /** Whether requests to this URL are sent. A name that cannot be resolved gets none. */
  mayGo(url: string): Promise<boolean>;
}

export interface DryRunOptions {
  allow: AllowList;
  blockedPorts: ReadonlySet<number>;
  resolver: Resolver;
}

export function createDryRun({ allow, blockedPorts, resolver }: DryRunOptions): DryRun {
  const only = { ...allow, exclusive: true };
  return {
    async mayGo(url) {
      if (allow.entries.length === 0) return false;
      const checked = checkUrl(url, { allow: only, blockedPorts });
      if ("fault" in checked) return false;
      const host = bareHost(checked.url);
      try {
        const addresses = await resolver.resolve(host);
        return "addresses" in vetAddresses(host, addresses, portOf(checked.url), only);
      } catch {
        return false;
      }
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
class Verdict extends Place {
  /** Null: not decided yet. */
  mayGo: boolean | null = null;
  /** Monotonic milliseconds. */
  validUntil = Infinity;

  override room(): number {
    return this.mayGo === true ? Infinity : 0;
  }

  override until(): number {
    return this.validUntil;
  }
}

/** The gate of a dry run. A URL is judged when its webhook first asks. */
export function createDryRunGate(
  dryRun: DryRun,
  /** Monotonic milliseconds. */
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
      verdict.mayGo = mayGo;
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
      return verdict.mayGo === true ? null : verdict;
    },
  };
}
