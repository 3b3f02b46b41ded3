/** A scan that takes so long reads rows that are gone, or the server is busy. */
const SLOW_MS = 50;
/** A scan from the beginning takes at most this part of the time. */
const SHARE = 1 / 20;

interface Place {
  dueAt: number;
  seq: number;
}

interface Position extends Place {
  /** Monotonic ms; from then on the webhook is read from its oldest row again. */
  until: number;
}

/**
 * PostgreSQL keeps a claimed row in the index as long as an older transaction, such as a backup's, may see it. A scan from the
 * oldest due row reads past all of them, more with each claim. When that gets slow, the scan of a webhook goes on where
 * the last one ended, and begins at the oldest row only now and then. A row that became due before that position, such as a
 * delivery that was given back, waits until then.
 */
export class RowsReadPast {
  readonly #positions = new Map<number, Position>();
  readonly #now: () => number;
  readonly #slowMs: number;

  /** @param now monotonic ms */
  constructor(now: () => number, slowMs = SLOW_MS) {
    this.#now = now;
    this.#slowMs = slowMs;
  }

  /** Parameters of a scan: numbers of webhooks, and after which row of each it begins. Null: every webhook from its oldest. */
  positions(): [nos: number[], dueAts: number[], seqs: number[]] | null {
    const now = this.#now();
    for (const [no, { until }] of this.#positions) if (until <= now) this.#positions.delete(no);
    if (this.#positions.size === 0) return null;
    const all = [...this.#positions.values()];
    return [[...this.#positions.keys()], all.map((one) => one.dueAt), all.map((one) => one.seq)];
  }

  /**
   * Notes a scan's result.
   *
   * @param candidates in the order of their due times, for each webhook
   */
  note(candidates: readonly (Place & { webhookNo: number })[], tookMs: number): void {
    const isSlow = tookMs >= this.#slowMs;
    if (!isSlow && this.#positions.size === 0) return;
    const last = new Map(candidates.map((one) => [one.webhookNo, one]));
    for (const [no, { dueAt, seq }] of last) {
      const known = this.#positions.get(no);
      if (known !== undefined) Object.assign(known, { dueAt, seq });
      else if (isSlow) {
        this.#positions.set(no, { dueAt, seq, until: this.#now() + tookMs / SHARE });
      }
    }
  }
}
