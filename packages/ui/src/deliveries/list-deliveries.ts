import type { Client, Delivery } from "@markethook/client";
import { unwrap } from "../api/unwrap.ts";
import type { LogFilter } from "./log-filter.ts";

const PAGE_SIZE = 100;

export interface LogPage {
  items: Delivery[];
  nextCursor: string | null;
}

/** One page of the log, newest first. */
export async function listDeliveries(
  client: Client,
  filter: LogFilter,
  resourceId: string | null,
  cursor: string | null,
  signal: AbortSignal,
): Promise<LogPage> {
  const query = {
    ...filter,
    ...(resourceId === null ? {} : { resourceId }),
    limit: PAGE_SIZE,
    ...(cursor === null ? {} : { cursor }),
  };
  return await unwrap(client.api.GET("/v1/deliveries", { params: { query }, signal }));
}
