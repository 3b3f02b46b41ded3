/** A scan that takes so long reads rows that are gone, or the server is busy. */
const SLOW_MS = 50;
/** A webhook is read from its oldest row again after so many times as long as that took, and sooner at its backlog's end. */
const PAUSES = { inBacklog: 20, atEnd: 4 };

interface Place {
  dueAt: number;
  seq: number;
}

interface Position extends Place {
  /** When the webhook was read from its oldest row (monotonic ms), and how long that took. */
  readAt: number;
  tookMs: number;
  atEnd: boolean;
}

export interface Scanned {
  /** Numbers of webhooks. */
  visited: Iterable<number>;
  /** For each webhook in the order of their due times. */
  candidates: readonly (Place & { webhookNo: number })[];
  tookMs: number;
}

/**
 * PostgreSQL keeps a claimed row in the index as long as an older transaction, such as a backup's, may see it. A scan from the
 * oldest due row reads past all of them, more with each claim. When that gets slow, the scan of a webhook goes on where
 * the last one ended, and begins at the oldest row only now and then. A row before that position waits until then: one that
 * was committed late, or whose claim by another instance failed.
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
    for (const [no, { readAt, tookMs, atEnd }] of this.#positions) {
      const pause = tookMs * (atEnd ? PAUSES.atEnd : PAUSES.inBacklog);
      if (now - readAt >= pause) this.#positions.delete(no);
    }
    if (this.#positions.size === 0) return null;
    const all = [...this.#positions.values()];
    return [[...this.#positions.keys()], all.map((one) => one.dueAt), all.map((one) => one.seq)];
  }

  /** Notes a scan whose claim is committed. `perWebhook`: at most so many rows of each webhook were asked for. */
  note({ visited, candidates, tookMs }: Scanned, perWebhook: number): void {
    const isSlow = tookMs >= this.#slowMs;
    if (!isSlow && this.#positions.size === 0) return;
    const found = Map.groupBy(candidates, (one) => one.webhookNo);
    for (const no of visited) {
      const rows = found.get(no) ?? [];
      const last = rows.at(-1);
      const known = this.#positions.get(no);
      const atEnd = rows.length < perWebhook;
      if (known !== undefined) {
        known.atEnd = atEnd;
        if (last !== undefined) Object.assign(known, { dueAt: last.dueAt, seq: last.seq });
      } else if (isSlow && last !== undefined) {
        const { dueAt, seq } = last;
        this.#positions.set(no, { dueAt, seq, readAt: this.#now(), tookMs, atEnd });
      }
    }
  }
}
