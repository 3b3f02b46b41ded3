import type { EventName } from "@markethook/protocol";

/** What a message can tell of an event: the signed payload, and the details that never stand in one. */
export interface EventFacts {
  name: EventName;
  /** Unix seconds. */
  time: number;
  /** JSON text, as the specification writes the event's payload. */
  payload: string;
  /** JSON text of `details` as reported; null: none, or erased. */
  details: string | null;
  /** For the message's footer. */
  serviceName: string;
}

/** The purchase that a refund or chargeback takes back. */
export interface SaleFacts {
  messageId: string;
  facts: EventFacts;
}
