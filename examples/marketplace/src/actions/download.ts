import type { Person } from "../people.ts";
import type { SoldResource } from "../shop-data.ts";
import type { Shop } from "../shop.ts";
import { addReport } from "./add-report.ts";
import { findPaidOrder } from "./buy.ts";

/** Owners have what they sell; others buy it first. */
export function mayDownload(shop: Shop, resource: SoldResource, person: Person): boolean {
  return person.kind === "owner"
    ? resource.ownerId === person.id
    : findPaidOrder(shop.data, resource.id, person.id) !== undefined;
}

/** The report's key, if it is this buyer's first download of the resource; otherwise null. */
export function recordDownload(shop: Shop, resourceId: string, person: Person): string | null {
  if (person.kind === "owner" || hasDownloaded(shop, resourceId, person.id)) return null;
  const at = shop.now();
  return shop.changeResource(resourceId, (resource, data) => {
    const id = `download-${shop.newId()}`;
    data.firstDownloads.push({ id, resourceId, buyerId: person.id, at });
    return addReport(data, resource, id, {
      event: "product.user.firstDownload",
      occurredAt: at,
      user: { id: person.id },
      details: { buyerName: person.name },
    });
  });
}

function hasDownloaded(shop: Shop, resourceId: string, buyerId: number): boolean {
  return shop.data.firstDownloads.some(
    (one) => one.resourceId === resourceId && one.buyerId === buyerId,
  );
}
