import type { ReactNode } from "react";
import { UserText } from "../shared/user-text.tsx";

const NAMES: Readonly<Record<string, string>> = {
  buyerName: "Buyer",
  amount: "Amount",
  currency: "Currency",
  orderId: "Order",
  reason: "Reason",
};

/** What the marketplace told besides, for the log only. */
export function detailFacts(details: unknown): (readonly [string, ReactNode])[] {
  if (typeof details !== "object" || details === null) return [];
  return Object.entries(details).map(([name, value]) => [
    NAMES[name] ?? name,
    <UserText key={name}>{String(value)}</UserText>,
  ]);
}
