import { MarkethookError } from "@markethook/protocol";
import type { AppDeps } from "../app-deps.ts";

/**
 * For what would make deliveries due: in a dry run they would stay, and all go out when it ends.
 * @throws `dry_run` where nothing is sent to the webhook
 */
export async function refuseInDryRun(
  deps: Pick<AppDeps, "dryRun" | "mayGo" | "store">,
  webhookId: string,
): Promise<void> {
  if (!deps.dryRun) return;
  const url = await deps.store.webhooks.revealUrl(webhookId, null);
  if (!(await deps.mayGo(url))) throw new MarkethookError("dry_run");
}

/** The same for the webhook of a delivery. @throws `not_found`, `dry_run` */
export async function refuseDeliveryInDryRun(
  deps: Pick<AppDeps, "dryRun" | "mayGo" | "store">,
  deliveryId: string,
  ownerId: string | null,
): Promise<void> {
  if (!deps.dryRun) return;
  const delivery = await deps.store.log.find(deliveryId, ownerId);
  if (delivery === null) throw new MarkethookError("not_found");
  await refuseInDryRun(deps, delivery.webhookId);
}
