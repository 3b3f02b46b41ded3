/** Bytes of the queue that nothing holds and nothing on its way to it was promised. */
export interface Room {
  free(): number;
  /** Negative: gives back what was reserved. */
  reserve(bytes: number): void;
}

export function createRoom(queueRoom: () => number): Room {
  let reserved = 0;
  return {
    free: () => queueRoom() - reserved,
    reserve: (bytes) => void (reserved += bytes),
  };
}
