export interface StoredEvent {
  eventId: string;
  resourceId: string;
  name: string;
  time: number;
  userId: number | null;
  /** JSON text as sent. */
  payload: string;
  details: string | null;
  /** Milliseconds since the epoch, by the database's clock. */
  acceptedAt: number;
  /** True if its user was erased. */
  erased: boolean;
}

export type StoredEventSummary = Omit<StoredEvent, "payload" | "details">;
