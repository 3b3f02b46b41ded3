import { given } from "@markethook/protocol";
import { expressionBuilder } from "kysely";
import type { Tables } from "../../tables.ts";

/** The statement names the webhooks `w`. */
const any = expressionBuilder<Tables & { w: Tables["webhooks"] }, "w">();

interface Filter {
  /** Null: any. */
  ownerId?: string | null | undefined;
  resourceId?: string | null | undefined;
  webhookId?: string | undefined;
}

/** The condition that a webhook is one of those that the filter names. */
export function webhookIs({ ownerId, resourceId, webhookId }: Filter) {
  const [owner, resource] = [ownerId ?? undefined, resourceId ?? undefined];
  return any.and(given({ "w.owner_id": owner, "w.resource_id": resource, "w.id": webhookId }));
}
