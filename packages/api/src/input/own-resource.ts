import { type ErrorCode, MarkethookError } from "@markethook/protocol";
import type { Resource } from "@markethook/store";
import type { AppDeps } from "../app-deps.ts";

/** Returns the resource if it is this owner's; null stands for any owner. @throws `absent` */
export async function ownResource(
  { store }: Pick<AppDeps, "store">,
  id: string,
  ownerId: string | null,
  absent: ErrorCode,
): Promise<Resource> {
  const resource = await store.resources.find(id);
  if (resource === null || (ownerId !== null && resource.ownerId !== ownerId)) {
    throw new MarkethookError(absent);
  }
  return resource;
}
