/** Bytes of the queue that are neither used nor reserved. */
export interface MemoryBudget {
  free(): number;
  /** Reserves bytes. Negative: gives reserved ones back. */
  reserve(bytes: number): void;
}

export function createMemoryBudget(queueRoom: () => number): MemoryBudget {
  let reserved = 0;
  return {
    free: () => queueRoom() - reserved,
    reserve: (bytes) => void (reserved += bytes),
  };
}
