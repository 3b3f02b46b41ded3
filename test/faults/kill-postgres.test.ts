import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deliveryId, eventId } from "@markethook/protocol";
import { createTestDatabase, execute } from "@markethook/store/testing";
import { runKillCampaign } from "./kill-campaign.ts";

test("PostgreSQL: 50 kills of two instances under load lose nothing, double nothing, keep each buyer's order", async (t) => {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "markethook-kill-"));
  t.after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  });
  await runKillCampaign(t, {
    kills: 50,
    instances: 2,
    env: {
      MARKETHOOK_DATA_DIR: folder,
      MARKETHOOK_DATABASE_URL: database.url,
      MARKETHOOK_LEASE: "800ms",
    },
    leased: async (pid) => {
      const rows = await execute(
        database.url,
        `select l.seq, e.tag from live l join events e on e.seq = l.event_seq
         join instances i on i.life = l.life where i.name like '%:${pid}'`,
      );
      return new Set(
        rows.map((row) => deliveryId({ seq: Number(row["seq"]), tag: String(row["tag"]) })),
      );
    },
    unended: async () => {
      const rows = await execute(
        database.url,
        "select (select count(*) from live) + (select count(*) from waiting) as n",
      );
      return Number(rows[0]?.["n"]);
    },
    endedDead: async () => {
      const rows = await execute(
        database.url,
        `select e.seq, e.tag, w.id from done d join events e on e.seq = d.event_seq
         join webhooks w on w.no = d.webhook_no where d.state <> 0`,
      );
      return new Set(
        rows.map(
          (row) =>
            `${eventId({ seq: Number(row["seq"]), tag: String(row["tag"]) })} ${String(row["id"])}`,
        ),
      );
    },
  });
});
