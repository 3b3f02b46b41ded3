export interface Window {
  /** Requests. */
  limit: number;
  perMs: number;
}

/** Counts what falls into windows that begin with their first request, as Discord's buckets do. */
export class Bucket {
  readonly #window: Window;
  #used = 0;
  #endsAt = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /** False: used up; nothing was taken. */
  take(now: number): boolean {
    if (now >= this.#endsAt) {
      this.#used = 0;
      this.#endsAt = now + this.#window.perMs;
    }
    if (this.#used >= this.#window.limit) return false;
    this.#used += 1;
    return true;
  }

  state(now: number): { limit: number; remaining: number; resetAfterSeconds: number } {
    return {
      limit: this.#window.limit,
      remaining: this.#window.limit - this.#used,
      // Rounded up, so that who waits for so long is never early.
      resetAfterSeconds: Math.max(1, Math.ceil(this.#endsAt - now)) / 1000,
    };
  }
}

export interface BanRule {
  /** Invalid requests within the window that bring the ban. */
  after: number;
  windowMs: number;
  forMs: number;
  status: 403 | 429;
}

/** The ban of an address that sends too many requests that were answered 401, 403, 404 or 429. */
export class Ban {
  readonly #rule: BanRule;
  #invalidAt: number[] = [];
  #until = 0;
  /** It has happened, even if it is over. */
  happened = false;
  /** Most invalid requests in any one window. */
  most = 0;

  constructor(rule: BanRule) {
    this.#rule = rule;
  }

  get status(): number {
    return this.#rule.status;
  }

  secondsLeft(now: number): number {
    return Math.max(0, Math.ceil((this.#until - now) / 1000));
  }

  active(now: number): boolean {
    return now < this.#until;
  }

  note(now: number): void {
    this.#invalidAt.push(now);
    const first = this.#invalidAt.findIndex((at) => at > now - this.#rule.windowMs);
    if (first > 0) this.#invalidAt = this.#invalidAt.slice(first);
    this.most = Math.max(this.most, this.#invalidAt.length);
    if (this.#invalidAt.length < this.#rule.after) return;
    this.happened = true;
    this.#until = now + this.#rule.forMs;
    this.#invalidAt = [];
  }
}
