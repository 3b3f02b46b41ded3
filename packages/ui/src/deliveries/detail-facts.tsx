import type { ReactNode } from "react";
import { UserText } from "../shared/user-text.tsx";
import { words } from "../words/words.ts";

/** What the marketplace told besides, for the log only. */
export function detailFacts(details: unknown): (readonly [string, ReactNode])[] {
  if (typeof details !== "object" || details === null) return [];
  const names: Readonly<Record<string, string>> = words.deliveries.details;
  return Object.entries(details).map(([name, value]) => [
    names[name] ?? name,
    <UserText key={name}>{String(value)}</UserText>,
  ]);
}
