import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { deliveryId, eventId } from "@markethook/protocol";
import { runKillCampaign } from "./kill-campaign.ts";

test("SQLite: 50 kills under load lose nothing, double nothing, keep each buyer's order", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-kill-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const read = (sql: string): Record<string, unknown>[] => {
    const db = new DatabaseSync(join(folder, "markethook.sqlite"), { timeout: 2000 });
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  };
  await runKillCampaign(t, {
    kills: 50,
    instances: 1,
    env: { MARKETHOOK_DATA_DIR: folder },
    leased: async () =>
      new Set(
        read("select l.seq, e.tag from live l join events e on e.seq = l.event_seq").map((row) =>
          deliveryId({ seq: Number(row["seq"]), tag: String(row["tag"]) }),
        ),
      ),
    unended: async () =>
      Number(
        read("select (select count(*) from live) + (select count(*) from waiting) as n")[0]?.["n"],
      ),
    endedDead: async () =>
      new Set(
        read(
          `select e.seq, e.tag, w.id from done d join events e on e.seq = d.event_seq
           join webhooks w on w.no = d.webhook_no where d.state <> 0`,
        ).map(
          (row) =>
            `${eventId({ seq: Number(row["seq"]), tag: String(row["tag"]) })} ${String(row["id"])}`,
        ),
      ),
  });
});
