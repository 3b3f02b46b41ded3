import { Caps } from "./caps.ts";
import type { Lane, Offer, OpenRequest, Share } from "./lane.ts";

const SLOW_PART = 0.3;
const NEW_PART = 0.4;
const KNOWN_HOSTS = 20_000;

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

/** The caps on open requests by host, by address and by share, and the lanes that wait for one to close. */
export class Slots {
  readonly #hosts: Caps<Lane>;
  readonly #addresses: Caps<Lane>;
  readonly #shares: Readonly<Record<Share, Caps<Lane>>>;
  readonly #addressOf = new Map<string, string>();
  readonly #goodHosts = new Set<string>();

  constructor({ concurrency, hostConcurrency, addressConcurrency }: SlotsOptions) {
    this.#hosts = new Caps(hostConcurrency);
    this.#addresses = new Caps(addressConcurrency);
    const part = (of: number): Caps<Lane> => new Caps(Math.max(1, Math.floor(concurrency * of)));
    this.#shares = { suspect: new Caps(1), slow: part(SLOW_PART), new: part(NEW_PART) };
  }

  get slowOpen(): number {
    return this.#shares.slow.count("slow");
  }

  addressOf(host: string): string | null {
    return this.#addressOf.get(host) ?? null;
  }

  /** True: it waits now. */
  wait(lane: Lane, { host, address }: Place, share: Share | null): boolean {
    if (this.#hosts.isFull(host)) this.#hosts.wait(host, lane);
    else if (address !== null && this.#addresses.isFull(address))
      this.#addresses.wait(address, lane);
    else if (share !== null && this.#shares[share].isFull(share)) {
      this.#shares[share].wait(share, lane);
      lane.waitsFor = share;
    } else return false;
    lane.queued = true;
    return true;
  }

  open({ host, address, share }: OpenRequest): void {
    this.#hosts.open(host);
    if (address !== null) this.#addresses.open(address);
    if (share !== null) this.#shares[share].open(share);
  }

  /** Answers the lanes that may try again. `at`: the address that it went to, if that is known now. */
  close({ host, address, share }: OpenRequest, at: string | null): Lane[] {
    if (at !== null) this.#learn(host, at);
    const lanes = closed(this.#hosts, host);
    if (address !== null) lanes.push(...closed(this.#addresses, address));
    if (share !== null) lanes.push(...closed(this.#shares[share], share));
    return lanes;
  }

  /** A lane tries again: what was kept for it is free. Answers what to pass on afterwards. */
  answer(lane: Lane): Offer | null {
    const { offer } = lane;
    lane.offer = null;
    offer?.caps.answer(offer.key);
    return offer;
  }

  /** Answers the lanes that may try now that another one has. */
  passOn({ caps, key }: Offer, went: boolean): Lane[] {
    return offered(caps, key, caps.passOn(key, went));
  }

  /** An open request takes a slot of the slow ones from now on, if it has none of another share. */
  becameSlow(request: OpenRequest): void {
    request.lane.slow = true;
    if (request.share !== null) return;
    request.share = "slow";
    this.#shares.slow.open("slow");
  }

  /** Which part of the slots a lane may use; null: all. */
  shareOf(lane: Lane, host: string): Share | null {
    if (lane.suspect) return "suspect";
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
    if (waitsFor === null || waitsFor === this.shareOf(lane, host)) return false;
    lane.waitsFor = null;
    return this.#shares[waitsFor].leave(waitsFor, lane);
  }

  #learn(host: string, address: string): void {
    if (this.#addressOf.size > KNOWN_HOSTS) this.#addressOf.clear();
    this.#addressOf.set(host, address);
  }
}

function closed(caps: Caps<Lane>, key: string): Lane[] {
  return offered(caps, key, caps.close(key));
}

function offered(caps: Caps<Lane>, key: string, lanes: Lane[]): Lane[] {
  for (const lane of lanes) {
    lane.waitsFor = null;
    lane.offer = { caps, key };
  }
  return lanes;
}
