import { test } from "node:test";
import { sqlitePlace } from "../places.ts";
import { size } from "../size.ts";
import { runKillCampaign } from "./kill-campaign.ts";
import { besideSqlite } from "./stores.ts";

const KILLS = size(3, 50);

// SQLite needs no lease to pass: these are the defaults.
test(`SQLite: ${KILLS} kills under load lose nothing, double nothing, keep each buyer's order`, async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  await runKillCampaign(t, {
    kills: KILLS,
    instances: 1,
    env: place.env,
    restMs: 0,
    ...besideSqlite(place.folder),
  });
});
