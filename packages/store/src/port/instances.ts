import type { InstanceBeat, RescueOutcome } from "./deliveries.ts";

/** A running process's right to deliveries. An instance ends when its process stops, or when others judge it dead. */
export interface InstanceStore {
  /**
   * Begins an instance. `survived`: an earlier instance of this process, which ended or was given up while the process
   * went on; its deliveries crashed nothing. On an exclusive store (SQLite), deliveries of all earlier instances are
   * given back at once; null elsewhere.
   */
  start(
    name: string,
    version: string,
    survived?: number | null,
  ): Promise<{ instanceNo: number; givenBack: RescueOutcome | null }>;
  /**
   * Sends one heartbeat, which tells the others whether this instance suspects its own network. False: the instance has
   * ended. Then drop all its deliveries and start another one.
   */
  renew(instanceNo: number, networkSuspected: boolean): Promise<boolean>;
  /** Ends an instance and gives back its deliveries; returns how many. */
  end(instanceNo: number): Promise<number>;
  list(): Promise<Instance[]>;
}

export interface Instance extends InstanceBeat {
  name: string;
  version: string;
  startedAt: number;
  /** Whether most webhooks could not be connected to from there when it sent its last heartbeat. */
  networkSuspected: boolean;
}

/** Thrown by writes for an instance that has ended. */
export class LeaseLostError extends Error {
  constructor(instanceNo: number) {
    super(`instance ${instanceNo} has ended`);
    this.name = "LeaseLostError";
  }
}
