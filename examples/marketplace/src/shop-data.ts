import type { EventInput } from "@markethook/client";

/** Everything the marketplace keeps, as its file has it. Times are Unix seconds. */
export interface ShopData {
  format: 1;
  resources: SoldResource[];
  orders: Order[];
  removals: Removal[];
  firstDownloads: FirstDownload[];
  /** The outbox: what Markethook is to be told, in order. Written together with the row it is about. */
  reports: Report[];
}

export interface SoldResource {
  id: string;
  ownerId: string;
  title: string;
  subtitle: string;
  /** In euros, two decimals. */
  price: string;
  /** Oldest first; at least one. */
  versions: FileVersion[];
  /** Counts changes of what Markethook knows of it. */
  revision: number;
  /** The revision that Markethook was told last; 0: none. */
  toldRevision: number;
}

export interface FileVersion {
  /** Of the update's own row; also the name of the stored file. */
  id: string;
  version: string;
  time: number;
  /** Bytes. */
  size: number;
  fileType: string;
  branch: Branch;
  title: string;
  description: string;
}

export const BRANCHES = ["release", "snapshot"] as const;
export type Branch = (typeof BRANCHES)[number];

export interface Order {
  id: string;
  resourceId: string;
  buyerId: number;
  at: number;
  amount: string;
  state: "paid" | "refunded" | "charged back";
}

/** A refund by the owner, or a chargeback as the buyer's bank sent it; a bank may send one more than once. */
interface Removal {
  id: string;
  orderId: string;
  kind: RemovalKind;
  at: number;
}

export type RemovalKind = "refund" | "chargeback";

interface FirstDownload {
  id: string;
  resourceId: string;
  buyerId: number;
  at: number;
}

export interface Report {
  /** Idempotency key, of the row it is about, e.g. `order-4k2x…`. */
  key: string;
  resourceId: string;
  /** Written once, and sent the same at each try. */
  event: EventInput;
  /** Parked: Markethook refused it, and would each time. */
  state: "waiting" | "sent" | "parked";
  /** What Markethook calls it, once sent. */
  eventId: string | null;
  /** How many webhooks it goes to, if Markethook said so. */
  webhooks: number | null;
  /** Why it is parked. */
  problem: string | null;
}

/** Of all prices. */
export const CURRENCY = "EUR";
