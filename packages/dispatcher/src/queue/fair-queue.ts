import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import { Concurrency, type ConcurrencyOptions } from "../gates/concurrency.ts";
import { CoolDowns } from "../gates/cool-downs.ts";
import { type Gate, inOrder, type OpenRequest } from "../gates/gate.ts";
import { PoisonSuspects } from "../gates/poison-suspects.ts";
import type { DispatcherSettings } from "../wiring/settings.ts";
import { createLedgers, type Ledgers } from "./memory-ledger.ts";
import type { Place, Waiter, WaitReason } from "./place.ts";
import { createPortions } from "./portions.ts";
import { Ready } from "./ready.ts";
import { createSlowWatch } from "./slow-watch.ts";
import { Unread } from "./unread-webhooks.ts";
import { WaitingRoom } from "./waiting-room.ts";
import type { WebhookCache } from "./webhook-cache.ts";
import { bytesOf, isHeld, type QueueEntry, type WebhookQueue } from "./webhook-queue.ts";
import { WebhookQueues } from "./webhook-queues.ts";

/**
 * Holds deliveries in memory, in a queue per webhook, and sends one of each queue in turn.
 *
 * idle --deliveries come--> ready --its turn, all gates let it pass--> one delivery goes out; ready again, or busy
 *                           ready --its webhook is not read yet, or a gate names a place--> waits there
 * waits --let out--> ready, before most others
 *       --its wait would be long, or it holds too much memory--> all given back; left alone until then
 * busy (as many requests open as it may have) --one ends--> ready
 *
 * No queue has a turn while the door is closed: too many requests open in all, too many webhooks being read, the portion
 * is over, or `choked`.
 */
export interface FairQueueOptions
  extends
    Omit<ConcurrencyOptions, "wake" | "goOn">,
    Pick<DispatcherSettings, "webhookConcurrency" | "queueBytes" | "queueShare"> {
  cache: Pick<WebhookCache, "peek" | "load">;
  /** How many requests may begin before other work of the event loop has its turn. */
  portion: number;
  /** Asked in this order, after the queue's own gates: cool-downs, concurrency and poison suspects. */
  gates: readonly Gate[];
  /** True: no further request may start now. The caller that makes it false again calls `pump`. */
  choked(): boolean;
  /** Sends a delivery. It must call `finish` exactly once. */
  dispatch(entry: QueueEntry, webhook: SendableWebhook | null, request: OpenRequest): void;
  /** Gives back the lease of a delivery that cannot be sent soon. */
  giveBack(entry: QueueEntry): void;
  /** Called when the queue has room again. */
  drained(): void;
  /** Called when a webhook with a full share has room for half of it again: more of it can be claimed. */
  shareFreed(): void;
}

const SLOW_MS = 1000;
/** Webhooks read at once. More would be read twice, because their turn comes too late. */
const READ_AHEAD = 256;
/** How many portions may wait in memory before the sending side counts as behind. */
const AHEAD = 16;
/** Part of a webhook's share that is added for new deliveries while a backlog fills the share. */
const FRESH_PART = 0.1;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly queues: WebhookQueues;
  readonly #ready = new Ready();
  readonly #unread = new Unread();
  readonly #concurrency: Concurrency;
  readonly #suspects: PoisonSuspects;
  readonly #gates: readonly Gate[];
  readonly #full = new Set<WebhookQueue>();
  readonly coolDowns = new CoolDowns();
  /** Count the memory of slow webhooks and of waiting ones. */
  readonly ledgers: Ledgers;
  readonly #room: WaitingRoom;
  readonly #watch: ReturnType<typeof createSlowWatch>;
  readonly #openRequests = new Set<OpenRequest>();
  #bytes = 0;
  #count = 0;
  #pumping = false;
  readonly #idlers: (() => void)[] = [];
  readonly #portions: ReturnType<typeof createPortions>;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.ledgers = createLedgers(options.queueBytes);
    this.#room = new WaitingRoom({
      now: options.now,
      ledgers: this.ledgers,
      out: (queue, place) => {
        if (place.reason === "webhook-not-read") this.#ready.addRead(queue);
        else this.#ready.addPermitted(queue);
      },
      timeCame: () => this.pump(),
    });
    const wake = (place: Place): void => this.#room.wake(place);
    const goOn = (queues: readonly Waiter[]): void => {
      for (const queue of queues) this.#tryAgain(queue);
      this.pump();
    };
    this.#concurrency = new Concurrency({ ...options, wake, goOn });
    this.#suspects = new PoisonSuspects(wake);
    this.#gates = inOrder([this.coolDowns, this.#concurrency, this.#suspects, ...options.gates]);
    this.#watch = createSlowWatch(this.#openRequests, options.now, SLOW_MS, (request) => {
      this.#concurrency.becameSlow(request);
      this.#pauseIfTooMuch(request.queue);
      this.pump();
    });
    this.#portions = createPortions({
      size: options.portion,
      next: () => this.pump(),
      muchLeft: () => this.#count > AHEAD * options.portion,
    });
    this.queues = new WebhookQueues(this.ledgers);
  }

  get open(): number {
    return this.#openRequests.size;
  }

  get size(): number {
    return this.#count;
  }

  get slowOpen(): number {
    return this.#concurrency.slowOpen;
  }

  get waiting(): Readonly<Record<WaitReason, number>> {
    return this.#room.waiting;
  }

  /** How many more bytes may be queued. */
  get room(): number {
    return Math.max(0, this.#options.queueBytes - this.#bytes);
  }

  get averageBytes(): number {
    return this.#count === 0 ? 0 : this.#bytes / this.#count;
  }

  /** Webhooks to claim nothing for: their share is full, or they have a cool-down. Some are listed twice. */
  get full(): number[] {
    return this.#fullBut(() => true);
  }

  /** The same for deliveries accepted now, a few of which are taken even with a full share. */
  get fullForFresh(): number[] {
    return this.#fullBut((queue) => queue.fresh >= this.#options.queueShare * FRESH_PART);
  }

  #fullBut(isFull: (queue: WebhookQueue) => boolean): number[] {
    const full = [...this.coolDowns.at(this.#options.now())];
    for (const queue of this.#full) if (isFull(queue)) full.push(queue.no);
    return full;
  }

  push(entries: readonly QueueEntry[]): void {
    const now = this.#options.now();
    for (const entry of entries) {
      const queue = this.queues.of(entry);
      if (!entry.delivery.probe && this.#isUnwanted(queue, now)) {
        this.#options.giveBack(entry);
        this.queues.forgetIfIdle(queue);
        continue;
      }
      queue.push(entry);
      this.#bytes += bytesOf(entry);
      this.#count += 1;
      if (queue.length >= this.#options.queueShare) this.#full.add(queue);
      if (entry.fresh === true && this.#suspects.mayPass(queue)) this.#tryAgain(queue);
      else if (entry.delivery.probe && queue.line?.place?.reason === "cool-down") {
        this.#tryAgain(queue);
      } else this.#ready.add(queue);
    }
    this.pump();
  }

  /** Call when webhooks were read, or could not be: their queues have a turn again. */
  webhooksLoaded(nos: readonly number[]): void {
    for (const no of nos) {
      const place = this.#unread.read(no);
      if (place !== null) this.#room.wake(place);
    }
    this.pump();
  }

  /** Takes these deliveries out of memory. Open requests go on. */
  remove(isOut: (entry: QueueEntry) => boolean): QueueEntry[] {
    const out: QueueEntry[] = [];
    for (const queue of this.queues.all()) {
      for (const entry of queue.clear()) (isOut(entry) ? out : queue).push(entry);
      this.#leaveFull(queue);
      this.queues.forgetIfIdle(queue);
    }
    for (const entry of out) this.#bytes -= bytesOf(entry);
    this.#count -= out.length;
    return out;
  }

  /** Call when an exchange has ended: frees its slots, learns from it. Null: nothing was sent, nothing is learned. */
  finish(request: OpenRequest, ok: boolean | null, address: string | null): void {
    if (!this.#openRequests.delete(request)) return;
    const { queue, webhook } = request;
    queue.open -= 1;
    if (ok !== null) this.#judge(request, ok, this.#watch.now() - request.startedAt);
    if (address !== null) this.#concurrency.learn(request.host, address);
    if (webhook !== null)
      for (const gate of this.#gates) gate.leave?.(webhook, ok !== null, request);
    this.#ready.add(queue);
    this.queues.forgetIfIdle(queue);
    this.#endPauseForRoom();
    if (this.open === 0) for (const idler of this.#idlers.splice(0)) idler();
    this.pump();
  }

  pump(): void {
    // A dispatch may end at once and call `pump` again; one loop is enough.
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (
        this.#openRequests.size < this.#options.concurrency &&
        this.#unread.size < READ_AHEAD &&
        !this.#ready.isEmpty &&
        !this.#portions.resting() &&
        !this.#options.choked()
      ) {
        const queue = this.#ready.next();
        if (queue !== undefined) this.#turn(queue);
      }
    } finally {
      this.#pumping = false;
    }
    if (this.room > 0) this.#options.drained();
  }

  /** Callers wait for this before they bring more deliveries, so that accepted ones do not pile up in memory. */
  async caughtUp(): Promise<void> {
    await this.#portions.caughtUp();
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    if (this.open > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  /** Call when a gate has room again at this place. */
  wake(place: Place): void {
    this.#room.wake(place);
    this.pump();
  }

  /** Call when owners have changed webhooks: pauses that the old receivers asked for end. */
  endCoolDowns(webhookNos: readonly number[]): void {
    for (const request of this.#openRequests)
      request.webhookChanged ||= webhookNos.includes(request.queue.no);
    for (const place of this.coolDowns.end(webhookNos)) this.wake(place);
  }

  close(): void {
    this.#room.close();
    this.#watch.close();
  }

  #turn(queue: WebhookQueue): void {
    const mayGo = queue.length > 0 && queue.open < queue.limit;
    const webhook = mayGo ? this.#options.cache.peek(queue.no) : null;
    if (webhook === undefined) {
      // The queue keeps its permits. Without them it would be let out only to be read again and again.
      this.#room.wait(queue, this.#unread.placeOf(queue.no));
      this.#options.cache.load(queue.no);
      return;
    }
    const taken = this.#room.takePermits(queue);
    const went = mayGo && this.#try(queue, webhook);
    if (taken.length > 0) this.#room.passOn(queue, taken, mayGo && !went);
    else if (went) queue.refused = 0;
    if (!went) this.#portions.count(false);
    if (!mayGo) this.queues.forgetIfIdle(queue);
  }

  /** Returns false if the queue waits, or has nothing left to send. */
  #try(queue: WebhookQueue, webhook: SendableWebhook | null): boolean {
    const now = this.#options.now();
    if (webhook !== null) {
      if (queue.next !== null && isHeld(queue.next, webhook)) {
        this.#giveBack(queue, (next) => isHeld(next, webhook));
        return false;
      }
      queue.host = webhook.host;
      if (webhook.failing) queue.countAsFailing();
      const { next } = queue;
      const place = this.#mustWaitAt(queue, webhook, now);
      if (place !== null) {
        const until = this.#room.wait(queue, place);
        if (until === null) this.#pauseIfTooMuch(queue);
        else {
          this.coolDowns.add(queue.no, until);
          this.#giveBack(queue);
        }
        return false;
      }
      // A gate put another delivery first, which may be held, or have to wait.
      if (queue.next !== next) return this.#try(queue, webhook);
    }
    const entry = this.#take(queue);
    if (entry === undefined) return false;
    const request: OpenRequest = {
      queue,
      startedAt: this.#watch.now(),
      host: webhook?.host ?? "",
      suspicion: entry.delivery.suspicion,
      slow: queue.slow && !queue.hasSecondTry,
      isSecondTry: queue.hasSecondTry,
      webhook,
      webhookChanged: false,
      counters: null,
    };
    if (webhook !== null) for (const gate of this.#gates) gate.enter?.(webhook, request, now);
    queue.open += 1;
    this.#openRequests.add(request);
    this.#watch.start();
    this.#portions.count(true);
    this.#options.dispatch(entry, webhook, request);
    this.#ready.add(queue);
    return true;
  }

  #mustWaitAt(queue: WebhookQueue, webhook: SendableWebhook, now: number): Place | null {
    for (const gate of this.#gates) {
      const place = gate.wait(webhook, queue, now);
      if (place !== null) return place;
    }
    return null;
  }

  /** Takes the queue out of its line and gives it a turn again. */
  #tryAgain(queue: Waiter): void {
    this.#room.leave(queue);
    this.#ready.addPermitted(queue);
  }

  #take(queue: WebhookQueue): QueueEntry | undefined {
    const entry = queue.shift();
    if (entry === undefined) return undefined;
    this.#bytes -= bytesOf(entry);
    this.#count -= 1;
    if (this.#leaveFull(queue)) this.#options.shareFreed();
    return entry;
  }

  /** True if the webhook is left alone already, or its kind uses too much memory and this would add to it. */
  #isUnwanted(queue: WebhookQueue, now: number): boolean {
    if (this.coolDowns.keepsOut(queue.no, now)) return true;
    if (!queue.isTooMuch) return false;
    this.coolDowns.pause(queue.no, now, queue.isKeptWaiting);
    return true;
  }

  #pauseIfTooMuch(queue: WebhookQueue): void {
    if (queue.length === 0 || !queue.isTooMuch) return;
    this.coolDowns.pause(queue.no, this.#options.now(), queue.isKeptWaiting);
    this.#giveBack(queue);
  }

  /** Ends one pause early for each request that ended, so that webhooks come back as fast as memory is freed. */
  #endPauseForRoom(): void {
    const { slow, slots, gates } = this.ledgers;
    if (!slow.hasRoom || !slots.hasRoom || !gates.hasRoom) return;
    if (this.coolDowns.endFirstPause(this.#options.now())) this.#options.shareFreed();
  }

  /** Gives back all unwanted deliveries. Add a cool-down before, or the new room fills with more of the same. */
  #giveBack(queue: WebhookQueue, isUnwanted: (next: QueuedDelivery) => boolean = () => true): void {
    while (queue.next !== null && isUnwanted(queue.next)) {
      const entry = this.#take(queue);
      if (entry !== undefined) this.#options.giveBack(entry);
    }
    this.#ready.add(queue);
    this.queues.forgetIfIdle(queue);
  }

  #leaveFull(queue: WebhookQueue): boolean {
    return queue.length <= this.#options.queueShare / 2 && this.#full.delete(queue);
  }

  #judge({ queue, host, isSecondTry }: OpenRequest, ok: boolean, ms: number): void {
    const well = ok && ms <= SLOW_MS;
    queue.slow = !well;
    if (isSecondTry) queue.justSlow = false;
    queue.proven ||= well;
    this.#concurrency.judged(host, well);
    if (this.#concurrency.isInWrongLine(queue, host)) this.#tryAgain(queue);
    if (!well) this.#pauseIfTooMuch(queue);
    // Deliveries that were given back for memory, or for want of a slot, may come now.
    else if (this.coolDowns.endPause(queue.no)) this.#options.shareFreed();
    if (queue.suspect) return;
    queue.limit = ok
      ? Math.min(this.#options.webhookConcurrency, queue.limit + 1)
      : Math.max(1, Math.floor(queue.limit / 2));
  }
}
