import type { Observer } from "@markethook/dispatcher";

const MINUTE_MS = 60_000;
const MINUTES = 15;
const SECONDS = 60;
const HOSTS_SHOWN = 20;
/** Hosts stored per minute; later ones are counted together. */
const MOST_HOSTS = 2000;
const OTHERS = "others";

/** Recent attempts of this instance, for the operator's page. In memory, bounded. */
export function createRecentAttempts(now: () => number) {
  const minutes = new Map<number, Map<string, Map<string, number>>>();
  const delivered = Array.from({ length: SECONDS }, () => 0);
  const startedAt = now();
  let second = Math.floor(startedAt / 1000);

  function advance(): void {
    const current = Math.floor(now() / 1000);
    const steps = Math.min(SECONDS, Math.max(0, current - second));
    for (let i = 0; i < steps; i += 1) delivered[(current - i) % SECONDS] = 0;
    second = Math.max(second, current);
  }

  function minuteOf(minute: number): Map<string, Map<string, number>> {
    let hosts = minutes.get(minute);
    if (hosts === undefined) {
      hosts = new Map();
      minutes.set(minute, hosts);
      for (const old of minutes.keys()) if (old <= minute - MINUTES) minutes.delete(old);
    }
    return hosts;
  }

  return {
    observer: {
      attempt({ host, outcome, next }) {
        const hosts = minuteOf(Math.floor(now() / MINUTE_MS));
        const name = hosts.has(host) || hosts.size < MOST_HOSTS ? host : OTHERS;
        let outcomes = hosts.get(name);
        if (outcomes === undefined) hosts.set(name, (outcomes = new Map()));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (next !== "delivered") return;
        advance();
        delivered[second % SECONDS] = (delivered[second % SECONDS] ?? 0) + 1;
      },
    } satisfies Partial<Observer>,
    /** Delivered per second, over the last minute. */
    deliveriesPerSecond(): number {
      advance();
      const over = Math.min(SECONDS, Math.max(1, (now() - startedAt) / 1000));
      const sum = delivered.reduce((total, count) => total + count, 0);
      return Math.round((sum / over) * 10) / 10;
    },
    /** Over the last 15 minutes, of the hosts with the most attempts; the busiest first. */
    byHost(): { host: string; outcome: string; count: number }[] {
      const oldest = Math.floor(now() / MINUTE_MS) - MINUTES;
      const sums = new Map<string, Map<string, number>>();
      for (const [minute, hosts] of minutes) {
        if (minute <= oldest) continue;
        for (const [host, outcomes] of hosts) {
          const sum = sums.get(host) ?? new Map<string, number>();
          sums.set(host, sum);
          for (const [outcome, count] of outcomes)
            sum.set(outcome, (sum.get(outcome) ?? 0) + count);
        }
      }
      const total = (outcomes: ReadonlyMap<string, number>): number =>
        [...outcomes.values()].reduce((all, count) => all + count, 0);
      return [...sums]
        .sort(([, a], [, b]) => total(b) - total(a))
        .slice(0, HOSTS_SHOWN)
        .flatMap(([host, outcomes]) =>
          [...outcomes]
            .sort(([, a], [, b]) => b - a)
            .map(([outcome, count]) => ({ host, outcome, count })),
        );
    },
  };
}
