import { first } from "./0001-first.ts";
import { keyGenerations } from "./0002-key-generations.ts";
import { replyTimes } from "./0003-reply-times.ts";
import { noticesByOwner } from "./0004-notices-by-owner.ts";
import { noticesInOrder } from "./0005-notices-in-order.ts";
import { deletedWebhooks } from "./0006-deleted-webhooks.ts";
import { includedDetails } from "./0007-included-details.ts";
import { suspectedNetwork } from "./0008-suspected-network.ts";

/** In order; a migration's number is its place, counted from 1, and the same on both databases. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001-first", sql: first },
  { name: "0002-key-generations", sql: keyGenerations },
  { name: "0003-reply-times", sql: replyTimes },
  { name: "0004-notices-by-owner", sql: noticesByOwner },
  { name: "0005-notices-in-order", sql: noticesInOrder },
  { name: "0006-deleted-webhooks", sql: deletedWebhooks },
  { name: "0007-included-details", sql: includedDetails },
  { name: "0008-suspected-network", sql: suspectedNetwork },
];
