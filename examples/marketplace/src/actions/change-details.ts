import type { Shop } from "../shop.ts";

/** No event; but Markethook is told, so that pages and later events have the new words. */
export function changeDetails(
  shop: Shop,
  resourceId: string,
  details: { title: string; subtitle: string },
): void {
  shop.changeResource(resourceId, (resource) => {
    Object.assign(resource, details);
    resource.revision += 1;
  });
}
