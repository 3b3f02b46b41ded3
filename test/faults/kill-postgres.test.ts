import { test } from "node:test";
import { postgresPlace } from "../places.ts";
import { runKillCampaign } from "./kill-campaign.ts";
import { besidePostgres } from "./stores.ts";

test("PostgreSQL: 50 kills of two instances under load lose nothing, double nothing, keep each buyer's order", async (t) => {
  const place = await postgresPlace();
  t.after(() => place.drop());
  const env = { ...place.env, MARKETHOOK_LEASE: "800ms" };
  await runKillCampaign(t, { kills: 50, instances: 2, env, ...besidePostgres(place.url) });
});

test("PostgreSQL: with the default lease another instance takes over what a killed one held", async (t) => {
  const place = await postgresPlace();
  t.after(() => place.drop());
  await runKillCampaign(t, {
    kills: 1,
    instances: 2,
    env: place.env,
    restartAtOnce: false,
    ...besidePostgres(place.url),
  });
});
