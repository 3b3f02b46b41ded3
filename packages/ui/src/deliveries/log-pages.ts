import type { Delivery } from "@markethook/client";
import { parseDeliveryId } from "@markethook/protocol/ids";
import type { InfiniteData } from "@tanstack/react-query";
import type { LogPage } from "./list-deliveries.ts";

/** The part of the log that was read so far, newest first. */
export type LogPages = InfiniteData<LogPage, string | null>;

/** Whether the log was read far enough to have this delivery in it. */
export function reaches({ pages }: LogPages, delivery: Delivery): boolean {
  const last = pages.at(-1);
  if (last === undefined || last.nextCursor === null) return true;
  const oldest = last.items.at(-1);
  return oldest === undefined || key(delivery) > key(oldest);
}

export function has({ pages }: LogPages, id: string): boolean {
  return pages.some((page) => page.items.some((item) => item.id === id));
}

export function withChange(all: LogPages, delivery: Delivery): LogPages {
  const pages = all.pages.map((page) =>
    page.items.some((item) => item.id === delivery.id)
      ? { ...page, items: page.items.map((item) => (item.id === delivery.id ? delivery : item)) }
      : page,
  );
  return { ...all, pages };
}

/** Each new delivery goes where reading the log again would show it, in whatever order they arrive. */
export function withNew(all: LogPages, deliveries: readonly Delivery[]): LogPages {
  const known = new Set(all.pages.flatMap((page) => page.items.map((item) => item.id)));
  const fresh = deliveries.filter((delivery) => !known.has(delivery.id) && reaches(all, delivery));
  if (fresh.length === 0) return all;
  const last = all.pages.length - 1;
  const pageOf = (delivery: Delivery): number => {
    const found = all.pages.findIndex(({ items }) => {
      const oldest = items.at(-1);
      return oldest !== undefined && key(delivery) > key(oldest);
    });
    return found === -1 ? last : found;
  };
  const byPage = Map.groupBy(fresh, pageOf);
  const pages = all.pages.map((page, index) => {
    const more = byPage.get(index);
    return more === undefined
      ? page
      : { ...page, items: [...more, ...page.items].sort((a, b) => key(b) - key(a)) };
  });
  return { ...all, pages };
}

/** What the service orders the log by. */
function key({ id }: Delivery): number {
  return parseDeliveryId(id)?.seq ?? 0;
}
