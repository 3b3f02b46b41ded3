import type { SendableWebhook } from "@markethook/store";
import { Place, placeIn } from "../queue/place.ts";
import { isLong } from "../queue/waiting-room.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";
import type { Gate } from "./gate.ts";

/** A list is used again for one millisecond per so many webhooks. Making one of 100,000 takes several milliseconds. */
const LISTED_PER_MS = 1000;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** The cool-down of one webhook. Times are monotonic milliseconds. */
class CoolDown extends Place {
  /** End of the pause that its receiver asked for. */
  asked = 0;
  /** End of the pause that saves memory. */
  pausedUntil = 0;
  /** Length of the last pause; 0: none. */
  pauseMs = 0;
  /** True if its receiver was the reason of the last pause, as one that is slow. */
  ofReceiver = false;

  override room(now: number): number {
    return this.asked <= now ? Infinity : 0;
  }

  override until(now: number): number {
    return Math.max(this.asked, now);
  }
}

/**
 * Webhooks that are left alone for some time: their receivers asked for it, or they would use too much memory.
 *
 * receiver asks for a short time -> its deliveries wait in memory
 * receiver asks for a long time  -> they are given back to the database, and no more are taken until the rest is short
 * takes too much memory          -> the same, for 5 s, then for twice as long each time that follows soon, up to a minute
 */
export class CoolDowns implements Gate {
  readonly reasons = ["cool-down"] as const;
  readonly #coolDowns = new Map<number, CoolDown>();
  /** Those with a pause, and some whose pause is over. */
  readonly #paused = new Set<CoolDown>();
  /** The last list of those that are kept out, and until when it is used. */
  #listed: { nos: readonly number[]; until: number } = { nos: [], until: -Infinity };

  /** A probe is not delayed. */
  wait(_webhook: SendableWebhook, queue: WebhookQueue, now: number): Place | null {
    if (this.#coolDowns.size === 0) return null;
    const coolDown = this.#coolDowns.get(queue.no);
    return coolDown !== undefined && coolDown.asked > now && queue.next?.probe === false
      ? coolDown
      : null;
  }

  /** Adds a cool-down. If there is one, the later end counts. */
  add(webhookNo: number, until: number): void {
    const coolDown = this.#of(webhookNo);
    coolDown.asked = Math.max(coolDown.asked, until);
  }

  /** `ofReceiver`: its receiver keeps its deliveries waiting. */
  pause(webhookNo: number, now: number, ofReceiver: boolean): void {
    const coolDown = this.#of(webhookNo);
    if (coolDown.pausedUntil > now) return;
    coolDown.ofReceiver = ofReceiver;
    coolDown.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, coolDown.pauseMs * 2));
    coolDown.pausedUntil = now + coolDown.pauseMs;
    this.#paused.add(coolDown);
  }

  /**
   * Ends the pause of a webhook that answers well, because its deliveries leave memory fast. Returns false if it was
   * not paused recently.
   */
  endPause(webhookNo: number): boolean {
    const coolDown = this.#coolDowns.size === 0 ? undefined : this.#coolDowns.get(webhookNo);
    if (coolDown === undefined || coolDown.pauseMs === 0) return false;
    coolDown.pausedUntil = 0;
    coolDown.pauseMs = 0;
    this.#paused.delete(coolDown);
    return true;
  }

  /** Ends the pause that would end first, because there is memory again. Returns false if there is none. */
  endFirstPause(now: number): boolean {
    let first: CoolDown | null = null;
    // Called for each request that ends, while receivers may have asked ten thousand webhooks to wait.
    for (const coolDown of this.#paused) {
      if (coolDown.pausedUntil <= now) this.#paused.delete(coolDown);
      else if (first === null || coolDown.pausedUntil < first.pausedUntil) first = coolDown;
    }
    if (first === null) return false;
    // The length is kept: if the webhook takes too much again, its next pause is longer.
    first.pausedUntil = now;
    return true;
  }

  /** True if no more of its deliveries may come into memory. */
  keepsOut(webhookNo: number, now: number): boolean {
    const coolDown = this.#coolDowns.size === 0 ? undefined : this.#coolDowns.get(webhookNo);
    return coolDown !== undefined && isKeptOut(coolDown, now);
  }

  /**
   * Ends cool-downs of webhooks that their owners changed: another receiver may have asked for them. Returns the places
   * that have room now.
   */
  end(webhookNos: readonly number[]): Place[] {
    return webhookNos.flatMap((no) => {
      const coolDown = this.#coolDowns.get(no);
      if (coolDown === undefined) return [];
      this.#coolDowns.delete(no);
      this.#paused.delete(coolDown);
      coolDown.asked = 0;
      return [coolDown];
    });
  }

  /**
   * Webhooks of which no more deliveries may be taken. Forgets ended cool-downs; a pause is remembered for twice its
   * length, so that it can grow. Each claim and each commit asks, so a long list is made only now and then: what is taken
   * of a webhook that it does not have yet is given back.
   */
  at(now: number): readonly number[] {
    if (now < this.#listed.until) return this.#listed.nos;
    const nos: number[] = [];
    for (const [no, coolDown] of this.#coolDowns) {
      if (isKeptOut(coolDown, now)) nos.push(no);
      else if (coolDown.asked <= now && coolDown.pausedUntil + coolDown.pauseMs * 2 <= now) {
        this.#coolDowns.delete(no);
      }
    }
    this.#listed = { nos, until: now + Math.floor(nos.length / LISTED_PER_MS) };
    return nos;
  }

  /** The webhooks of `at` that wait because of their receivers, and not for something that many webhooks share. */
  ofReceivers(now: number): number[] {
    return [...this.#coolDowns]
      .filter(([, one]) => isLong(one.asked, now) || (one.ofReceiver && one.pausedUntil > now))
      .map(([no]) => no);
  }

  #of(webhookNo: number): CoolDown {
    const make = () => new CoolDown("cool-down", `webhook ${webhookNo}`);
    return placeIn(this.#coolDowns, webhookNo, make);
  }
}

function isKeptOut({ asked, pausedUntil }: CoolDown, now: number): boolean {
  return pausedUntil > now || isLong(asked, now);
}
