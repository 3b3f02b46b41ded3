import type { Shop } from "../shop.ts";

/** No event; but Markethook is told, so that pages and later events have the new words. */
export function changeDetails(
  shop: Shop,
  resourceId: string,
  details: { title: string; subtitle: string },
): void {
  shop.change((data) => {
    const resource = data.resources.find(({ id }) => id === resourceId);
    if (resource === undefined) return;
    Object.assign(resource, details);
    resource.revision += 1;
  });
}
