import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { isFramed, safeUrl } from "./page-location.ts";
import { readSession } from "./kept-session.ts";
import { tabStorage } from "./tab-storage.ts";

/** When this tab last left by itself. */
const LEFT = "left";
/** A marketplace that sends people back without a session must not send them round in circles. */
const AGAIN_AFTER_MS = 60_000;

/** The marketplace's page that opens a session and comes back to `place`; null: no operator has named it. */
export async function findEntry(place: string): Promise<string | null> {
  try {
    const response = await fetch("entry.json");
    const { entryUrl } = (await response.json()) as { entryUrl: string | null }; // Our own.
    const address = safeUrl(entryUrl);
    return address === null ? null : entryFor(address, place);
  } catch {
    return null;
  }
}

function entryFor(address: string, place: string): string {
  const url = new URL(address);
  url.searchParams.set("path", place);
  const resourceId = readSession()?.resourceId ?? null;
  if (resourceId !== null) url.searchParams.set("resourceId", resourceId);
  // The marketplace then shows its own page, with this one in its frame.
  if (isFramed()) url.searchParams.set("frame", "1");
  return url.href;
}

/**
 * Goes there, if that makes sense without being asked: not out of a frame, which a browser allows to a click alone, and
 * not twice in a row. False: it stays.
 */
export function leaveFor(entry: string): boolean {
  if (isFramed()) return false;
  const leftAt = Number(tabStorage.read(LEFT) ?? "0");
  if (Date.now() - leftAt < AGAIN_AFTER_MS) return false;
  if (!tabStorage.write(LEFT, String(Date.now()))) return false;
  globalThis.location.replace(entry);
  return true;
}

export function forgetLeaving(): void {
  tabStorage.remove(LEFT);
}

/** The marketplace's address that comes back to `place` with a new session; null: there is none, or not yet. */
export function useEntry(place: string): string | null {
  const { data = null } = useQuery({
    queryKey: ["entry", place],
    queryFn: async () => await findEntry(place),
    placeholderData: keepPreviousData,
  });
  return data;
}
