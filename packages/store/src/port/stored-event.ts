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
  /** Its user was taken out of it. */
  erased: boolean;
}

export type StoredEventSummary = Omit<StoredEvent, "payload" | "details">;
