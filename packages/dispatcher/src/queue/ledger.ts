/** Bytes of deliveries in memory that have something in common, and how many of them there may be. */
export class Ledger {
  readonly most: number;
  bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  get isOver(): boolean {
    return this.bytes > this.most;
  }

  /** What was sent away for its sake can come back. */
  get hasRoom(): boolean {
    return this.bytes < this.most / 2;
  }
}

/** What each kind of trouble may take of the queue's memory, so that the rest stays for everybody else. */
const PART = 0.25;

export interface Ledgers {
  /** Of webhooks whose last request failed, took over a second, or is open for so long. */
  slow: Ledger;
  /** Of webhooks that wait for a slot of their host, address or share. */
  slots: Ledger;
  /** Of webhooks that wait before a gate. */
  gates: Ledger;
}

export function createLedgers(queueBytes: number): Ledgers {
  const part = queueBytes * PART;
  return { slow: new Ledger(part), slots: new Ledger(part), gates: new Ledger(part) };
}
