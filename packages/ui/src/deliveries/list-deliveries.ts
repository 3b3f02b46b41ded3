import type { Client, Delivery } from "@markethook/client";
import { firstFilledPage, unwrap } from "../api/answers.ts";
import type { LogFilter } from "./log-filter.ts";

export const PAGE_SIZE = 100;

export interface LogPage {
  items: Delivery[];
  nextCursor: string | null;
  /** Where a text was searched for. */
  searched?: { deliveries: number; backTo: string | null };
}

/** The next rows of the log, newest first. A page that found nothing yet says where to look on. */
export async function listDeliveries(
  client: Client,
  filter: LogFilter,
  resourceId: string | null,
  from: string | null,
  signal: AbortSignal,
): Promise<LogPage> {
  const filtered = { ...filter, ...(resourceId === null ? {} : { resourceId }), limit: PAGE_SIZE };
  return await firstFilledPage(from, async (cursor) => {
    const query = { ...filtered, ...(cursor === null ? {} : { cursor }) };
    return await unwrap(client.api.GET("/v1/deliveries", { params: { query }, signal }));
  });
}
