/** Counts the bytes of one kind of deliveries in memory, and how many of them are allowed. */
export class Ledger {
  readonly most: number;
  bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  get isOver(): boolean {
    return this.bytes > this.most;
  }

  /** True if deliveries that were given back because of this ledger can come back. */
  get hasRoom(): boolean {
    return this.bytes < this.most / 2;
  }
}

/** Part of the queue's memory that each kind of trouble may take. The rest stays for all other webhooks. */
const PART = 0.25;

export interface Ledgers {
  /** For webhooks whose last request failed, took over a second, or has been open for so long. */
  slow: Ledger;
  /** For webhooks that wait for a slot of their host, address or share. */
  slots: Ledger;
  /** For webhooks that wait at another gate. */
  gates: Ledger;
}

export function createLedgers(queueBytes: number): Ledgers {
  const part = queueBytes * PART;
  return { slow: new Ledger(part), slots: new Ledger(part), gates: new Ledger(part) };
}

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/** Bytes of the queue that are neither used nor reserved. */
export function createMemoryBudget(queueRoom: () => number) {
  let reserved = 0;
  return {
    free: () => queueRoom() - reserved,
    /** Reserves bytes. Negative: gives reserved ones back. */
    reserve: (bytes: number) => void (reserved += bytes),
  };
}
