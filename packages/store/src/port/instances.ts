import type { RescueOutcome } from "./deliveries.ts";

/** A running process's right to deliveries. An instance ends at a graceful stop, or when others find it dead. */
export interface InstanceStore {
  /**
   * Begins an instance. `survived`: the earlier instance of this same process, which ended or is given up although the process
   * goes on: what was held under it crashed nothing. On an exclusive store (SQLite), whatever earlier instances held is
   * given back at once; null elsewhere.
   */
  start(
    name: string,
    version: string,
    survived?: number | null,
  ): Promise<{ instanceNo: number; givenBack: RescueOutcome | null }>;
  /** One heartbeat. False: the instance has ended; drop everything held and start another. */
  renew(instanceNo: number): Promise<boolean>;
  /** Ends an instance and gives back what it still holds; returns how many deliveries that were. */
  end(instanceNo: number): Promise<number>;
  list(): Promise<Instance[]>;
}

export interface Instance {
  instanceNo: number;
  name: string;
  version: string;
  startedAt: number;
  renewedAt: number;
}

/** Thrown by writes that need an instance which has ended. */
export class LeaseLostError extends Error {
  constructor(instanceNo: number) {
    super(`instance ${instanceNo} has ended`);
    this.name = "LeaseLostError";
  }
}
