import type { SendableWebhook } from "@markethook/store";
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

/** Lets out what may go. A URL is judged when it first comes by, and those who wait for that are parked. */
export function createDryRunGate(
  dryRun: DryRun,
  /** Monotonic milliseconds. */
  now: () => number,
  wake: (key: string) => void,
): Gate {
  /** By URL; null: being judged. */
  const verdicts = new Map<string, { mayGo: boolean | null; until: number }>();

  function judge(url: string, key: string): void {
    if (verdicts.size >= VERDICTS) verdicts.clear();
    const verdict: { mayGo: boolean | null; until: number } = { mayGo: null, until: Infinity };
    verdicts.set(url, verdict);
    void dryRun.mayGo(url).then((mayGo) => {
      verdict.mayGo = mayGo;
      verdict.until = now() + VERDICT_MS;
      wake(key);
    });
  }

  const gate: Gate = {
    wait({ url }: SendableWebhook) {
      const key = `hold ${url}`;
      let verdict = verdicts.get(url);
      if (verdict === undefined || verdict.until <= now()) {
        judge(url, key);
        verdict = verdicts.get(url);
      }
      if (verdict?.mayGo === true) return null;
      return { gate, key, until: verdict?.until ?? Infinity };
    },
    enter() {},
    leave() {},
    // All of them: each then asks again, and goes or is given back.
    look: () => ({ room: Number.MAX_SAFE_INTEGER, until: Infinity }),
  };
  return gate;
}
