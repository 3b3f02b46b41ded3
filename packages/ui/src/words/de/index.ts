import type { Words } from "../en/index.ts";
import { activity } from "./activity.ts";
import { app, session } from "./app.ts";
import { chat } from "./chat.ts";
import { deliveries, live } from "./deliveries.ts";
import { early, replay } from "./replay.ts";
import { events } from "./events.ts";
import { exchange, ping, sample } from "./ping.ts";
import { operator } from "./operator.ts";
import { secret } from "./secret.ts";
import { errors, shared } from "./shared.ts";
import { verify } from "./verify.ts";
import { webhooks } from "./webhooks.ts";

/** The texts in German. They come as one chunk, so none are apart for the first load. */
export const de: Words = {
  activity,
  app,
  chat,
  deliveries,
  early,
  errors,
  events,
  exchange,
  live,
  operator,
  ping,
  replay,
  sample,
  secret,
  session,
  shared,
  verify,
  webhooks,
};
