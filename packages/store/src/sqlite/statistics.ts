import type { StoreStatistics } from "../port/administration.ts";
import type { Connection } from "./connection.ts";

/** Whole tables are counted by their pages, which is quick; webhooks through an index. */
export function statistics(db: Connection): StoreStatistics {
  const count = (table: "waiting" | "live" | "instances"): number =>
    Number(db.get(`select count(*) as count from ${table}`)?.["count"]);
  const states = new Map(
    db
      .all("select state, count(*) as count from webhooks where deleted_at is null group by state")
      .map((row) => [row["state"], Number(row["count"])]),
  );
  return {
    waiting: count("waiting"),
    live: count("live"),
    instances: count("instances"),
    webhooks: {
      active: states.get("active") ?? 0,
      paused: states.get("paused") ?? 0,
      disabled: states.get("disabled") ?? 0,
    },
    sizeBytes:
      Number(db.get("pragma page_count")?.["page_count"]) *
      Number(db.get("pragma page_size")?.["page_size"]),
  };
}
