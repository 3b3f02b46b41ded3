import type { CutReason } from "@markethook/api";
import type { DispatcherStatistics, Observer } from "@markethook/dispatcher";
import { residentBytes } from "../process/collect-when-idle.ts";
import { SUSPECT_ALONE_FROM, type StoreStatistics } from "@markethook/store";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Latest } from "./database-figures.ts";
import type { RepeatingFault } from "../log/repeating-faults.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Figures that need a query. */
export interface StoredFigures {
  oldestDueMs: number;
  stored: StoreStatistics;
  /** Null: none are posted. */
  notices: { unposted: number; oldestSeconds: number } | null;
}

/** Figures for Prometheus. None has a label for a webhook or host, because their number has no bound. */
export function createMetrics(
  figures: { latest(): Promise<Latest<StoredFigures>> },
  statistics: () => DispatcherStatistics,
  repeatingFaults: () => readonly RepeatingFault[],
  clientConnections: () => Promise<number>,
) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name: `markethook_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `markethook_${name}`, help, buckets: SECONDS, registers });
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name: `markethook_${name}`,
      help,
      registers,
      async collect() {
        this.set(await value());
      },
    });

  /** Read when it is asked for, by label; what comes under one label is added up. */
  const labelled = (
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    label: string,
    values: () => Iterable<readonly [string, number]>,
  ) =>
    new Kind({
      name: `markethook_${name}`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of values()) this.inc({ [label]: value }, count);
      },
    });

  const accepted = counter("events_accepted_total", "Reported events that were stored.");
  const leased = counter("deliveries_pre_leased_total", "Deliveries that needed no claim.");
  const notPreLeased = counter(
    "deliveries_not_pre_leased_total",
    "Deliveries stored for a later claim.",
  );
  const claimed = counter("deliveries_claimed_total", "Deliveries claimed.");
  const attemptsByOutcome = new Map<string, number>();
  labelled(
    Counter,
    "attempts_total",
    "Requests to receivers by outcome.",
    "outcome",
    () => attemptsByOutcome,
  );
  const refused = counter(
    "settlements_refused_total",
    "Outcomes that came after their lease had ended.",
  );
  const instancesLost = counter("instances_lost_total", "How often this instance lost its lease.");
  const rescued = counter("deliveries_rescued_total", "Deliveries taken back from dead instances.");
  const faults = counter("faults_total", "Failures of our own by place.", ["where"]);
  const acceptSeconds = histogram("accept_seconds", "From the start of a group commit to its end.");
  const claimSeconds = histogram("claim_seconds", "Claims that found something.");
  const attemptSeconds = histogram("attempt_seconds", "Requests to receivers.");
  const settleSeconds = histogram(
    "settle_seconds",
    "From the start of a settling batch to its commit.",
  );
  let latest: Latest<StoredFigures> = { value: null, ageMs: 0, failed: false };
  /** A figure of the database, as last known; absent until it is known. */
  const storedGauge = (name: string, help: string, value: (of: StoredFigures) => number) =>
    new Gauge({
      name: `markethook_${name}`,
      help,
      registers,
      collect() {
        if (latest.value === null) this.remove();
        else this.set(value(latest.value));
      },
    });
  storedGauge(
    "oldest_due_seconds",
    "Age of the oldest due delivery that is neither held, nor behind another, nor kept waiting by its receiver, which fails, asked for a pause, takes over a second to reply, or is a chat with its own pace.",
    ({ oldestDueMs }) => oldestDueMs / 1000,
  );
  gauge(
    "database_figures_age_seconds",
    "How old the figures of the database are.",
    () => latest.ageMs / 1000,
  );
  gauge(
    "database_figures_failed",
    "1 while they cannot be read: the last known ones are told.",
    () => (latest.failed ? 1 : 0),
  );
  gauge("requests_open", "Requests being made now.", () => statistics().open);
  gauge(
    "requests_open_slow",
    "Of those, to webhooks that failed or were slow.",
    () => statistics().slowOpen,
  );
  gauge(
    "deliveries_queued",
    "Deliveries in memory that wait for their turn.",
    () => statistics().queued,
  );
  labelled(
    Gauge,
    "webhooks_waiting",
    "Webhooks with deliveries in memory that wait for more than their turn, by what they wait for.",
    "reason",
    () => Object.entries(statistics().waiting),
  );
  gauge("outcomes_unsettled", "Outcomes that are not stored yet.", () => statistics().unsettled);
  gauge("sockets_open", "Connections to receivers.", () => statistics().sockets);
  gauge(
    "sender_threads",
    "Threads that send now; 0 where the main thread sends, or none can be started.",
    () => statistics().senderThreads,
  );
  const threadEnds = counter(
    "sender_threads_ended_total",
    "Sender threads that ended although nobody stopped them.",
  );
  gauge("client_connections_open", "Connections of clients.", clientConnections);
  const cut = counter(
    "client_connections_cut_total",
    "Connections of clients that were cut, by reason.",
    ["reason"],
  );
  labelled(
    Gauge,
    "repeating_faults",
    "For how many seconds the same fault has been repeated in one place; absent below a minute.",
    "where",
    () => longestSeconds(repeatingFaults()),
  );
  let suspected = false;
  gauge(
    "network_suspected",
    "1 while most webhooks cannot be connected to, which is probably a fault of our own network.",
    () => (suspected ? 1 : 0),
  );
  gauge("memory_resident_bytes", "Memory of this process.", () => residentBytes() ?? Number.NaN);
  storedGauge(
    "notices_unposted",
    "Notices that MARKETHOOK_NOTICES_URL has not taken yet; 0 where it is not set.",
    ({ notices }) => notices?.unposted ?? 0,
  );
  storedGauge(
    "notices_oldest_unposted_seconds",
    "Age of the oldest of them.",
    ({ notices }) => notices?.oldestSeconds ?? 0,
  );
  labelled(Gauge, "stored", "What is in the database.", "what", () => {
    if (latest.value === null) return [];
    const { pending, leased, instances, sizeBytes, webhooks } = latest.value.stored;
    return [
      ["deliveries_pending", pending],
      ["deliveries_leased", leased],
      ["instances", instances],
      ["bytes", sizeBytes],
      ...Object.entries(webhooks).map(([state, n]): [string, number] => [`webhooks_${state}`, n]),
    ];
  });
  labelled(
    Gauge,
    "poison_suspects",
    "Deliveries that may have ended the process that sent them, by level of suspicion.",
    "level",
    () =>
      (latest.value?.stored.suspects ?? []).map(({ level, count }) => [
        level > SUSPECT_ALONE_FROM ? "quarantined" : String(level),
        count,
      ]),
  );

  return {
    observer: {
      accepted(batch) {
        accepted.inc(batch.accepted);
        leased.inc(batch.leased);
        notPreLeased.inc(batch.notPreLeased);
        acceptSeconds.observe(batch.ms / 1000);
      },
      claimed(batch) {
        claimed.inc(batch.deliveries);
        claimSeconds.observe(batch.ms / 1000);
      },
      attempt({ outcome, ms }) {
        // By far the most frequent: counted here, and reported on demand.
        attemptsByOutcome.set(outcome, (attemptsByOutcome.get(outcome) ?? 0) + 1);
        attemptSeconds.observe(ms / 1000);
      },
      settled(batch) {
        refused.inc(batch.refused);
        settleSeconds.observe(batch.ms / 1000);
      },
      instanceLost: () => instancesLost.inc(),
      rescued: (rescue) => rescued.inc(rescue.rescued),
      senderThreadEnded: () => threadEnds.inc(),
      networkSuspected: (now) => void (suspected = now),
      fault: (where) => faults.inc({ where }),
    } satisfies Partial<Observer>,
    connectionCut: (reason: CutReason) => cut.inc({ reason }),
    async text() {
      latest = await figures.latest();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** By place: several faults of one place may be repeated at a time. */
function longestSeconds(faults: readonly RepeatingFault[]): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { where, forMs } of faults) {
    longest.set(where, Math.max(longest.get(where) ?? 0, forMs / 1000));
  }
  return longest;
}
