import type { EventInput } from "@markethook/client";
import type { ShopData, SoldResource } from "../shop-data.ts";

/** Sent ones that the owner can still look at on the resource's page. */
const KEPT_REPORTS = 200;

/**
 * What the resource is called goes along, so that no event waits for another request. Owners never change here: where they
 * do, the sender adds it from the resources as they are then (docs/how-to/report-events.md).
 */
export function addReport(
  data: ShopData,
  resource: SoldResource,
  key: string,
  event: EventInput,
): string {
  const { title, subtitle, ownerId } = resource;
  data.reports.push({
    key,
    resourceId: resource.id,
    event: { ...event, resource: { title, subtitle, ownerId } },
    state: "waiting",
    eventId: null,
    webhooks: null,
    problem: null,
  });
  const done = data.reports.filter(({ state }) => state !== "waiting");
  const old = new Set(done.slice(0, Math.max(0, done.length - KEPT_REPORTS)));
  data.reports = data.reports.filter((report) => !old.has(report));
  return key;
}
