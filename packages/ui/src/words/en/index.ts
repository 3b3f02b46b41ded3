import { activity } from "./activity.ts";
import { chat } from "./chat.ts";
import { deliveries, live } from "./deliveries.ts";
import { early, replay } from "./replay.ts";
import { events } from "./events.ts";
import { exchange, ping, sample } from "./ping.ts";
import { first } from "./app.ts";
import { operator } from "./operator.ts";
import { secret } from "./secret.ts";
import { verify } from "./verify.ts";

/** The texts in English, by the folder that shows them. */
export const en = {
  ...first,
  activity,
  chat,
  deliveries,
  early,
  events,
  exchange,
  live,
  operator,
  ping,
  replay,
  sample,
  secret,
  verify,
};

/** Every text that a person reads on the pages. English says which there are; other languages have the same. */
export type Words = typeof en;
