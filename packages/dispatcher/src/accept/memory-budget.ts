/** Bytes of the queue that nothing holds and nothing on its way to it was promised. */
export interface MemoryBudget {
  free(): number;
  /** Negative: gives back what was reserved. */
  reserve(bytes: number): void;
}

export function createMemoryBudget(queueRoom: () => number): MemoryBudget {
  let reserved = 0;
  return {
    free: () => queueRoom() - reserved,
    reserve: (bytes) => void (reserved += bytes),
  };
}
