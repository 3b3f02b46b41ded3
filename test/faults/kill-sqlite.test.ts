import { test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { runKillCampaign } from "./kill-campaign.ts";
import { besideSqlite } from "./stores.ts";

// SQLite needs no lease to pass: these are the defaults.
test("SQLite: 50 kills under load lose nothing, double nothing, keep each buyer's order", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  await runKillCampaign(t, {
    kills: 50,
    instances: 1,
    env: place.env,
    ...besideSqlite(place.folder),
  });
});
