import type { SendResult } from "../../packages/dispatcher/src/send/send-result.ts";
import type { Backend, HeldLease, LostCommits } from "./backend.ts";
import type { Ledger, Reported } from "./ledger.ts";
import type { Machine } from "./machine.ts";
import type { Paces } from "./paces.ts";
import type { Receivers } from "./receivers.ts";
import type { Written } from "./simulated-sender.ts";
import type { Timeline } from "./timeline.ts";

export interface Violation {
  kind: string;
  at: number;
  text: string;
}

/** What is known of an instance that judges need: a process from its start to its end. */
export interface Incarnation {
  machine: Machine;
  /** Under which it has held leases. */
  instanceNos: Set<number>;
  statistics(): { open: number; unsettled: number };
}

interface DeliverySeen {
  event: Reported;
  /** Of the event as it was stored. */
  tag: string;
  webhookNo: number;
  /** The sender heard a 2xx of the last request. */
  heard: boolean;
  /** The same of any. */
  delivered: boolean;
  /** A receiver said 2xx, whether or not that was heard. */
  accepted: boolean;
  /** Attempts that were answered so that they count in the schedule. */
  failures: Set<number>;
  lastFailure: { at: number; attempt: number; instanceNo: number } | null;
  /** Its receiver wants it not before this time. */
  askedUntil: number;
  /** A failure may not have been stored, so that nobody but the database knows its step. */
  uncertain: boolean;
}

/** Others judge an instance after 8 s; it looks at its clocks with each beat. */
const UNAWARE_MS = 15_000;
const SCHEDULE_PART = 0.8;
const TOLERANCE_MS = 100;
const SAME_FAULT_MS = 60_000;
const FAULT_GAP_MS = 15_000;
const MOST_VIOLATIONS = 20;

/** Judges each step against what is promised. */
export class Oracles {
  readonly violations: Violation[] = [];
  readonly #kinds = new Map<string, number>();
  readonly incarnations = new Map<Machine, Incarnation>();
  readonly counts = { faults: 0, written: 0, duplicates: 0, allowed: 0, unaware: 0, lateMs: 0 };
  lastDuplicate = "";
  /** From then on nothing is wrong any more with instances, database or network. */
  healthyFrom = Infinity;
  /** New events of good webhooks arrive within this time then. */
  soonMs = 10_000;
  /** But for these, whose hosts have more to do than they can. */
  withoutRoom: ReadonlySet<number> = new Set();
  readonly #timeline: Timeline;
  readonly #backend: Backend;
  readonly #ledger: Ledger;
  readonly #receivers: Receivers;
  readonly #schedule: readonly number[];
  readonly #paces: Paces;
  readonly #trace: (line: string) => void;
  readonly #deliveries = new Map<number, DeliverySeen>();
  /** By process and event: when its message had passed the gate. */
  readonly #chatBegan = new Map<string, number>();
  readonly #bodies = new Map<string, string>();
  readonly #faults = new Map<string, { since: number; last: number }>();
  /** Tags of events that failovers have lost: instances that know of them send them all the same. */
  readonly #lost = new Set<string>();
  /** Leases that failovers have ended without the knowledge of their holders. */
  readonly #voided = new Set<string>();
  /** Key and webhook of what must arrive soon. */
  readonly #measured = new Set<string>();

  constructor(options: {
    timeline: Timeline;
    backend: Backend;
    ledger: Ledger;
    receivers: Receivers;
    schedule: readonly number[];
    paces: Paces;
    trace: (line: string) => void;
  }) {
    this.#timeline = options.timeline;
    this.#backend = options.backend;
    this.#ledger = options.ledger;
    this.#receivers = options.receivers;
    this.#schedule = options.schedule;
    this.#paces = options.paces;
    this.#trace = options.trace;
  }

  get deliveries(): ReadonlyMap<number, Readonly<DeliverySeen>> {
    return this.#deliveries;
  }

  violate(kind: string, text: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (this.violations.length < MOST_VIOLATIONS) {
      this.violations.push({ kind, at: this.#timeline.now, text });
    }
  }

  /** How often each was violated. */
  get kinds(): Map<string, number> {
    return this.#kinds;
  }

  /** A request is written to its receiver. */
  written(machine: Machine, { seq, tag, webhookNo, attempt, body, isMessage }: Written): void {
    const { now } = this.#timeline;
    this.counts.written += 1;
    this.#trace(`${now} ${machine.name} writes ${seq} attempt ${attempt}`);
    const incarnation = this.#of(machine);
    const holder = this.#backend.holderOf(seq);
    if (this.#lost.has(tag)) {
      this.counts.unaware += 1;
      return;
    }
    const unaware =
      now - machine.wokenUnawareAt < UNAWARE_MS || this.#isVoided(incarnation, { seq, tag });
    if (holder === null || !incarnation.instanceNos.has(holder)) {
      // Its clocks stood still: it cannot know. Others have sent it meanwhile.
      if (unaware) {
        this.counts.unaware += 1;
        this.counts.allowed += 1;
      } else {
        this.violate(
          "written without its lease",
          `${machine.name} wrote ${seq}, held by ${holder}`,
        );
      }
    }
    const event = this.#ledger.byTag.get(tag);
    if (event === undefined) {
      this.violate("unknown event", `${seq} was never reported`);
      return;
    }
    if (!event.mayBeStored && event.acknowledged === null) {
      this.violate("refused event arrived", `${seq} of ${event.key}`);
    }
    if (!unaware && this.#backend.hasEarlierOpen(webhookNo, event.userId, seq)) {
      this.violate("out of order", `${seq} of buyer ${event.userId} before an earlier one`);
    }
    this.#compareBody(isMessage ? `${tag} as a message` : tag, body);
    const seen = this.#seen({ seq, tag }, event, webhookNo);
    if (seen.heard) {
      // It begins again: what follows from this one is no duplicate of its own.
      seen.heard = false;
      this.counts.duplicates += 1;
      this.lastDuplicate = `${machine.name} wrote ${seq} again at ${Math.round(now)}`;
    }
    this.#checkWait(seen, seq, attempt);
  }

  /**
   * The sender heard how a request ended.
   *
   * @param heldBy the instance that held the lease when this request was dialled
   */
  answered(
    machine: Machine,
    {
      seq,
      tag,
      attempt,
      heldBy,
    }: Pick<Written, "seq" | "tag" | "attempt"> & { heldBy: number | null },
    { status, category, headers }: SendResult,
  ): void {
    const seen = this.#deliveries.get(seq);
    if (seen === undefined || this.#lost.has(tag)) return;
    if (category === null && status !== null && status >= 200 && status < 300) {
      this.#delivered(seen, seq);
      seen.heard = true;
      seen.delivered = true;
    } else if (category !== "lease_lost" && category !== "stopped") {
      const { now } = this.#timeline;
      const by = this.#of(machine);
      const holder = this.#backend.holderOf(seq);
      // Its lease has ended meanwhile: others have it, or the same process took the delivery again under a new instance.
      // What it says is refused, and no step of the schedule.
      if (holder === null || !by.instanceNos.has(holder)) return;
      if (holder !== heldBy) return;
      if (this.#isVoided(by, { seq, tag })) {
        // Its next lease may be by the same instance, and what it says then counts.
        seen.failures.add(attempt);
        return;
      }
      const [, asked = "0"] = headers.find(([name]) => name === "retry-after") ?? [];
      seen.askedUntil = now + Number(asked) * 1000;
      seen.lastFailure = { at: now, attempt, instanceNo: holder };
      if (status !== 429) seen.failures.add(attempt);
      // How long it is left alone is judged for the whole channel.
      else if (this.#receivers.plan(seen.webhookNo).channel !== undefined) seen.lastFailure = null;
    }
  }

  receiverAnswered({ seq, tag }: Pick<Written, "seq" | "tag">, status: number): void {
    const seen = this.#deliveries.get(seq);
    if (seen === undefined || this.#lost.has(tag) || status < 200 || status >= 300) return;
    seen.accepted = true;
    this.#paces.answeredWell(seen.webhookNo);
  }

  chatBegan(machine: Machine, eventSeq: number): void {
    this.#chatBegan.set(`${machine.name} ${eventSeq}`, this.#timeline.now);
  }

  chatStarted(machine: Machine, channel: string, eventSeq: number): void {
    const beganAt = this.#chatBegan.get(`${machine.name} ${eventSeq}`) ?? 0;
    const wrong = this.#paces.chatBegan(machine, channel, beganAt);
    if (wrong !== null) this.violate("not left alone", wrong);
  }

  channelFull(machine: Machine, channel: string): void {
    const wrong = this.#paces.channelFull(machine, channel, this.#timeline.now);
    if (wrong !== null) this.violate("more than a channel takes", wrong);
  }

  chatTold(machine: Machine, channel: string, body: string): void {
    const { retry_after: seconds } = JSON.parse(body) as { retry_after: number };
    // By its own clock.
    const { now } = this.#timeline;
    this.#paces.chatTold(machine, channel, {
      from: now,
      until: now + (seconds * 1000) / machine.rate,
    });
  }

  /** Refused connections have no body, and are attempts all the same. Returns which instance holds the lease. */
  dialled(
    machine: Machine,
    { seq, tag, webhookNo }: Pick<Written, "seq" | "tag" | "webhookNo">,
  ): number | null {
    const wrong = this.#paces.dialled(machine, { seq, webhookNo }, this.#timeline.now);
    for (const [kind, text] of wrong) this.violate(kind, text);
    const event = this.#ledger.byTag.get(tag);
    if (event !== undefined && !this.#lost.has(tag))
      this.#doubt(this.#seen({ seq, tag }, event, webhookNo));
    return this.#backend.holderOf(seq);
  }

  /** An instance reports a fault of its own; the same one again and again is one that nothing fixes. */
  faulted(machine: Machine, where: string, error: unknown): void {
    const { now } = this.#timeline;
    const text = error instanceof Error ? error.message : String(error);
    this.#trace(`${now} ${machine.name} fault ${where}: ${text}`);
    if (now < this.healthyFrom) return;
    const key = `${machine.name} ${where}: ${text}`;
    const before = this.#faults.get(key);
    if (before === undefined || now - before.last > FAULT_GAP_MS) {
      this.#faults.set(key, { since: now, last: now });
      return;
    }
    before.last = now;
    if (now - before.since > SAME_FAULT_MS) {
      this.violate("the same fault for a minute", key);
      before.since = Infinity;
    }
  }

  /** What these results said is not stored: which step of the schedule comes next, only the database knows. */
  notStored(seqs: readonly number[]): void {
    this.mayRepeat(seqs.length);
    for (const seq of seqs) {
      const seen = this.#deliveries.get(seq);
      if (seen !== undefined) seen.uncertain = true;
    }
  }

  /** So many results were not stored, or will not be: these may be sent again. */
  mayRepeat(count: number): void {
    this.counts.allowed += count;
  }

  /** Their numbers come again, for others. What was sent and is not known to have ended may be sent again. */
  failedOver({ events, leases }: LostCommits): void {
    for (const tag of events) this.#lost.add(tag);
    for (const { instanceNo, seq, tag } of leases) this.#voided.add(`${instanceNo} ${seq} ${tag}`);
    this.mayRepeat(leases.length);
    this.timesChanged();
    const ended = new Set(this.#backend.ended().map(({ seq }) => seq));
    for (const [seq, seen] of this.#deliveries) {
      if (events.has(seen.tag)) this.#deliveries.delete(seq);
      else if (seen.heard && !ended.has(seq)) this.mayRepeat(1);
    }
  }

  /** When something is due, only the database knows. */
  timesChanged(): void {
    for (const seen of this.#deliveries.values()) seen.uncertain = true;
  }

  #isVoided({ instanceNos }: Incarnation, { seq, tag }: Omit<HeldLease, "instanceNo">): boolean {
    if (this.#voided.size === 0) return false;
    return Array.from(instanceNos).some((no) => this.#voided.has(`${no} ${seq} ${tag}`));
  }

  acknowledged(event: Reported): void {
    const { now } = this.#timeline;
    if (now < this.healthyFrom) return;
    for (const no of event.webhooks) {
      if (!this.#receivers.isGood(no) || this.#ledger.isBehind(event, no)) continue;
      if (this.withoutRoom.has(no)) continue;
      this.#measured.add(`${event.key} ${no}`);
    }
  }

  #delivered({ event, webhookNo, delivered }: DeliverySeen, seq: number): void {
    if (delivered) return;
    this.#ledger.delivered(event, webhookNo, this.#timeline.now);
    if (!this.#measured.delete(`${event.key} ${webhookNo}`) || event.acknowledged === null) return;
    const late = this.#timeline.now - event.acknowledged.at;
    this.counts.lateMs = Math.max(this.counts.lateMs, late);
    if (late > this.soonMs) {
      this.violate("late", `${seq} reached webhook ${webhookNo} after ${Math.round(late)} ms`);
    }
  }

  #of(machine: Machine): Incarnation {
    const incarnation = this.incarnations.get(machine);
    if (incarnation === undefined) throw new Error(`${machine.name} was never started`);
    return incarnation;
  }

  #seen(
    { seq, tag }: Pick<Written, "seq" | "tag">,
    event: Reported,
    webhookNo: number,
  ): DeliverySeen {
    let seen = this.#deliveries.get(seq);
    if (seen === undefined) {
      seen = {
        event,
        tag,
        webhookNo,
        heard: false,
        delivered: false,
        accepted: false,
        failures: new Set(),
        lastFailure: null,
        askedUntil: 0,
        uncertain: false,
      };
      this.#deliveries.set(seq, seen);
    }
    return seen;
  }

  #compareBody(tag: string, body: string): void {
    const plain = body.replace(/"nonce":"[^"]*"/, "");
    const before = this.#bodies.get(tag);
    if (before === undefined) this.#bodies.set(tag, plain);
    else if (before !== plain) this.violate("another body", `${before} and ${plain}`);
  }

  /** At each attempt, as the instance of the last failure may have ended before it was stored. */
  #doubt(seen: DeliverySeen): void {
    if (seen.lastFailure === null) return;
    if (!this.#backend.hasInstance(seen.lastFailure.instanceNo)) seen.uncertain = true;
  }

  /** Only where each failure was stored as it was. */
  #checkWait(seen: DeliverySeen, seq: number, attempt: number): void {
    this.#doubt(seen);
    const { lastFailure, failures } = seen;
    if (lastFailure === null || seen.uncertain || attempt !== lastFailure.attempt + 1) return;
    const { now } = this.#timeline;
    const planned = this.#schedule[Math.min(failures.size, this.#schedule.length) - 1] ?? 0;
    const waited = now - lastFailure.at;
    if (now < seen.askedUntil - TOLERANCE_MS) {
      this.violate(
        "not left alone",
        `${seq} came ${Math.round(waited)} ms after it was asked to wait`,
      );
    }
    if (waited < planned * SCHEDULE_PART - TOLERANCE_MS) {
      this.violate("too early", `${seq} waited ${Math.round(waited)} ms of ${planned}`);
    }
  }
}
