import { test } from "node:test";
import { postgresPlace } from "../places.ts";
import { size } from "../size.ts";
import { runKillCampaign } from "./kill-campaign.ts";
import { besidePostgres } from "./stores.ts";

const KILLS = size(3, 50);
const REST_MS = size(100, 0);

test(`PostgreSQL: ${KILLS} kills of two instances under load lose nothing, double nothing, keep each buyer's order`, async (t) => {
  const place = await postgresPlace();
  t.after(() => place.drop());
  // Over before the killed one listens again, and longer than a busy machine makes an instance wait for its turn.
  const env = { ...place.env, MARKETHOOK_LEASE: "1500ms" };
  await runKillCampaign(t, {
    kills: KILLS,
    instances: 2,
    env,
    restMs: REST_MS,
    ...besidePostgres(place.url),
  });
});

test("PostgreSQL: with the default lease another instance takes over what a killed one held", async (t) => {
  const place = await postgresPlace();
  t.after(() => place.drop());
  await runKillCampaign(t, {
    kills: 1,
    instances: 2,
    env: place.env,
    restartAtOnce: false,
    // Most of this test waits for the lease to end.
    restMs: 200,
    ...besidePostgres(place.url),
  });
});
