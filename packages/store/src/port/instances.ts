import type { RescueOutcome } from "./deliveries.ts";

/** A running process's right to deliveries. A life ends at a graceful stop, or when others find it dead. */
export interface InstanceStore {
  /**
   * Begins a life. `survived`: the earlier life of this same process, which ended or is given up although the process
   * goes on: what was held under it crashed nothing. On an exclusive store (SQLite), whatever earlier lives held is
   * given back at once; null elsewhere.
   */
  start(
    name: string,
    version: string,
    survived?: number | null,
  ): Promise<{ life: number; givenBack: RescueOutcome | null }>;
  /** One heartbeat. False: the life has ended; drop everything held and start another. */
  renew(life: number): Promise<boolean>;
  /** Ends a life and gives back what it still holds; returns how many deliveries that were. */
  end(life: number): Promise<number>;
  list(): Promise<Instance[]>;
}

export interface Instance {
  life: number;
  name: string;
  version: string;
  startedAt: number;
  renewedAt: number;
}

/** Thrown by writes that need a life which has ended. */
export class LeaseLostError extends Error {
  constructor(life: number) {
    super(`life ${life} has ended`);
    this.name = "LeaseLostError";
  }
}
