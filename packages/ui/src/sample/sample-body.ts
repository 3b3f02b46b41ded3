import type { ReportedEventName } from "@markethook/protocol/event-names";
import type { Resource } from "@markethook/client";
import { renderBody } from "@markethook/protocol/envelope";
import { sampleEventDetails, sampleEventPayload } from "@markethook/protocol/sample-event";
import { readUserId } from "../deliveries/log-filter.ts";

/** The body of an event about this resource, byte for byte as the service would send it now. */
export function sampleBody(
  {
    event,
    userId,
    withDetails,
  }: { event: ReportedEventName; userId: number; withDetails: boolean },
  { id, title, subtitle, url, fileVersion }: Resource,
  { now, nonce }: { now: number; nonce: string },
): string {
  const time = Math.floor(now / 1000);
  const about = { id, title, subtitle, url };
  const payload = sampleEventPayload({ event, userId }, about, fileVersion, time);
  const details = withDetails ? sampleEventDetails(event) : null;
  return renderBody({
    name: event,
    time,
    nonce,
    payload: JSON.stringify(payload),
    details: details && JSON.stringify(details),
  });
}

/** Marketplaces name owners by their user ids, most of them by numbers. */
export function ownUserId(ownerId: string | null): number {
  return readUserId(ownerId) ?? 1;
}

/** In the form of a real one. */
export function sampleNonce(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
