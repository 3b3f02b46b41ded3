import { app, session } from "./app.ts";
import { errors, shared } from "./shared.ts";
import { webhooks } from "./webhooks.ts";

/** What the first page shows, and what every page shows: it comes with the first load. */
export const first = { app, errors, session, shared, webhooks };
