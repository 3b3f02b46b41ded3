import type { SendableWebhook } from "@markethook/store";
import { Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { Resolver } from "../guard/resolver.ts";
import { bareHost, checkUrl, portOf } from "../guard/url-rules.ts";
import { vetAddresses } from "../guard/vet-addresses.ts";

/**
 * For a staging copy of real data: nothing is sent except to addresses that are allowed by name, so that no receiver
 * hears of a purchase twice. Everything else is accepted, stored and shown as ever.
 */
export interface DryRun {
  /** Whether requests to this URL go out all the same. A name that cannot be resolved is held. */
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

/** Held deliveries stay in the database, and are looked at again after this time: names may lead elsewhere by then. */
const VERDICT_MS = 3_600_000;
const VERDICTS = 10_000;

/** Where webhooks wait for the verdict on their URL, and then pass or are given back. */
class Verdict extends Place {
  /** Null: not known yet. */
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

/** Lets out what may go. A URL is judged when it first comes by. */
export function createDryRunGate(
  dryRun: DryRun,
  /** Monotonic milliseconds. */
  now: () => number,
  wake: (place: Place) => void,
): Gate {
  /** By URL. */
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
    wait(webhook) {
      let verdict = verdicts.get(webhook.url);
      if (verdict === undefined || verdict.validUntil <= now()) verdict = judge(webhook);
      return verdict.mayGo === true ? null : verdict;
    },
  };
}
