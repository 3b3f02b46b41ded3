import type { FileVersion } from "../shop-data.ts";
import type { Shop } from "../shop.ts";
import { addReport } from "./add-report.ts";

/** The report's key; null if there is no such resource. The file lies where its version's id says already. */
export function postUpdate(
  shop: Shop,
  resourceId: string,
  posted: Omit<FileVersion, "time">,
): string | null {
  const time = shop.now();
  return shop.changeResource(resourceId, (resource, data) => {
    const last = resource.versions.at(-1);
    if (last === undefined) return null;
    resource.versions.push({ ...posted, time });
    resource.revision += 1;
    const { version, id, size, fileType, branch, title, description } = posted;
    return addReport(data, resource, id, {
      event: "product.update",
      occurredAt: time,
      previous: {
        version: last.version,
        id: last.id,
        time: last.time,
        size: last.size,
        fileType: last.fileType,
        branch: last.branch,
      },
      update: { version, id, time, size, fileType, branch, title, description },
    });
  });
}
