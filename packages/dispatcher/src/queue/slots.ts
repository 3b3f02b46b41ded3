import { Caps } from "./caps.ts";
import type { Lane, SlotPermit, OpenRequest, Share } from "./lane.ts";
import type { Ledger } from "./ledger.ts";
import { SuspectSlots } from "./suspect-slots.ts";

const SLOW_PART = 0.3;
const NEW_PART = 0.4;
const KNOWN_HOSTS = 20_000;
/** A lane that was turned away so often keeps a slot while it waits for the next thing that it needs. */
const PATIENCE = 8;

const HOST = 0;
const ADDRESS = 1;
const SHARE = 2;
const SUSPECTS = 3;

export interface SlotsOptions {
  concurrency: number;
  hostConcurrency: number;
  addressConcurrency: number;
}

/** Where a request goes, as the caps count it. `address`: as of the last request to that host. */
interface Place {
  host: string;
  address: string | null;
}

/**
 * The caps on open requests by host, by address, by share and of suspects, and the lanes that wait for one to close.
 *
 * A lane takes all that it needs or nothing. One that needs two full ones would starve, as it finds the other one full
 * each time: turned away often, it keeps the slot of the first while it waits for the second. Never the other way
 * round, so that no two wait for each other.
 */
export class Slots {
  readonly #hosts: Caps<Lane>;
  readonly #addresses: Caps<Lane>;
  readonly #shares: Readonly<Record<Share, Caps<Lane>>>;
  readonly #suspects = new SuspectSlots(SUSPECTS);
  readonly #waiting: Ledger;
  readonly #addressOf = new Map<string, string>();
  readonly #goodHosts = new Set<string>();

  constructor({ concurrency, hostConcurrency, addressConcurrency }: SlotsOptions, waiting: Ledger) {
    this.#waiting = waiting;
    this.#hosts = new Caps(hostConcurrency, { divided: true });
    this.#addresses = new Caps(addressConcurrency, { divided: true });
    const part = (of: number): Caps<Lane> => new Caps(Math.max(1, Math.floor(concurrency * of)));
    this.#shares = { slow: part(SLOW_PART), new: part(NEW_PART) };
  }

  get slowOpen(): number {
    return this.#shares.slow.count("slow");
  }

  addressOf(host: string): string | null {
    return this.#addressOf.get(host) ?? null;
  }

  /** True: it cannot go now. It waits for a slot, or for one of its own requests to end. */
  wait(lane: Lane, { host, address }: Place, share: Share | null): boolean {
    const { standing } = lane;
    if (this.#hosts.isFull(host, standing)) this.#wait(lane, this.#hosts, host, HOST);
    else if (address !== null && this.#addresses.isFull(address, standing)) {
      this.#wait(lane, this.#addresses, address, ADDRESS);
    } else if (share !== null && this.#shares[share].isFull(share)) {
      this.#wait(lane, this.#shares[share], share, SHARE);
    } else if (this.#suspectMustWait(lane)) {
      this.#waits(lane, this.#suspects.wait(lane.suspicion, lane));
    } else return false;
    return true;
  }

  #suspectMustWait(lane: Lane): boolean {
    const { suspicion } = lane;
    return suspicion > 0 && this.#suspects.isFull(suspicion) && !lane.preferFresh();
  }

  #wait(lane: Lane, caps: Caps<Lane>, key: string, rank: number): void {
    const { standing } = lane;
    if (rank < SHARE && standing === "more") return;
    const line = rank === SHARE || standing === "more" ? "proven" : standing;
    caps.wait(key, lane, line);
    this.#waits(lane, { caps, key, rank });
  }

  #waits(lane: Lane, permit: SlotPermit): void {
    lane.waitsFor = permit;
    lane.queued = true;
    lane.waitIn(this.#waiting);
  }

  open({ host, address, share, slow, suspicion }: OpenRequest): void {
    if (suspicion > 0) this.#suspects.open(suspicion);
    this.#hosts.open(host, slow);
    if (address !== null) this.#addresses.open(address, slow);
    if (share !== null) this.#shares[share].open(share);
  }

  /** Answers the lanes that may try again. `at`: the address that it went to, if that is known now. */
  close({ host, address, share, slow, suspicion }: OpenRequest, at: string | null): Lane[] {
    if (at !== null) this.#learn(host, at);
    const lanes: Lane[] = [];
    permit(this.#hosts.close(host, slow), lanes);
    if (address !== null) permit(this.#addresses.close(address, slow), lanes);
    if (share !== null) permit(this.#shares[share].close(share), lanes);
    if (suspicion > 0) permit(this.#suspects.close(suspicion), lanes);
    return lanes;
  }

  /** A lane tries again: what was kept for it is free. Answers what to pass on afterwards. */
  answer(lane: Lane): readonly SlotPermit[] {
    const permits = lane.takePermits();
    for (const { caps, key } of permits) caps.answer(key, lane);
    return permits;
  }

  /** Answers the lanes that may try now that this one has. `refused`: it had something to send, and could not. */
  passOn(lane: Lane, permits: readonly SlotPermit[], refused: boolean): Lane[] {
    if (refused) lane.refused += 1;
    const lanes: Lane[] = [];
    for (const one of permits) {
      const waitsLater = lane.length > 0 && (lane.waitsFor?.rank ?? 0) > one.rank;
      if (waitsLater && lane.refused > PATIENCE && one.caps.keep(one.key, lane)) {
        lane.addPermit(one);
      } else if (one.rank === SUSPECTS) permit(this.#suspects.passOn(one, refused), lanes);
      else permit(one.caps.passOn(one.key, refused), lanes);
    }
    return lanes;
  }

  /** An open request is slow from now on, and takes a slot of the slow ones if it has none of another share. */
  becameSlow(request: OpenRequest): void {
    const { lane, host, address } = request;
    if (request.slow) return;
    request.slow = true;
    lane.slow = true;
    this.#hosts.becameSlow(host);
    if (address !== null) this.#addresses.becameSlow(address);
    if (request.share !== null) return;
    request.share = "slow";
    this.#shares.slow.open("slow");
  }

  /** Which part of the slots a lane may use; null: all. */
  shareOf(lane: Lane, host: string): Share | null {
    if (lane.slow) return "slow";
    return lane.proven || this.#goodHosts.has(host) ? null : "new";
  }

  /** How a host answered last: of many webhooks there each would be new otherwise. */
  judged(host: string, well: boolean): void {
    if (!well) this.#goodHosts.delete(host);
    else if (this.#goodHosts.size < KNOWN_HOSTS) this.#goodHosts.add(host);
  }

  /** What is known of it has changed. True: it waited for a slot of a share that is not its own any more. */
  leave(lane: Lane, host: string): boolean {
    const { waitsFor } = lane;
    if (waitsFor?.rank !== SHARE || waitsFor.key === this.shareOf(lane, host)) return false;
    stopsWaiting(lane);
    return waitsFor.caps.leave(waitsFor.key, lane);
  }

  /** Something was just accepted for it. True: it waited for its suspects only, and may try again. */
  passSuspects(lane: Lane): boolean {
    const { waitsFor } = lane;
    if (waitsFor?.rank !== SUSPECTS || !lane.preferFresh()) return false;
    stopsWaiting(lane);
    return waitsFor.caps.leave(waitsFor.key, lane);
  }

  #learn(host: string, address: string): void {
    if (this.#addressOf.size > KNOWN_HOSTS) this.#addressOf.clear();
    this.#addressOf.set(host, address);
  }
}

/** What they waited for is kept for them. */
function permit(woken: readonly Lane[], lanes: Lane[]): void {
  for (const lane of woken) {
    if (lane.waitsFor !== null) lane.addPermit(lane.waitsFor);
    stopsWaiting(lane);
    lanes.push(lane);
  }
}

function stopsWaiting(lane: Lane): void {
  lane.waitsFor = null;
  lane.waitIn(null);
}
