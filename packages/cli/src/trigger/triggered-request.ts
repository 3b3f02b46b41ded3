import type { Header } from "../option-values.ts";

/** A request ready to be sent. */
export interface TriggeredRequest {
  url: string;
  /** In wire order, `Host` and `Content-Length` included. */
  headers: readonly Header[];
  body: Buffer;
}

/** The event's name, for a headline; never trusted. */
export function eventOf({ body }: TriggeredRequest): string | null {
  try {
    const { event } = JSON.parse(body.toString()) as { event?: unknown };
    return typeof event === "string" ? event : null;
  } catch {
    return null;
  }
}
