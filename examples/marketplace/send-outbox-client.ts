// The outbox's sender with the client library: npm install @markethook/client
// Run it by cron or in a loop, never in a page request.
// Exit code 0: nothing waits. 1: Markethook cannot be reached or does not take our requests now; run it again later.
import { DatabaseSync } from "node:sqlite";
import { createClient, type EventItem } from "@markethook/client";

const { OUTBOX_FILE = "market.sqlite", WEBHOOKS_URL = "", WEBHOOKS_KEY = "" } = process.env;
const markethook = createClient({ baseUrl: WEBHOOKS_URL, apiKey: WEBHOOKS_KEY });
const db = new DatabaseSync(OUTBOX_FILE, { timeout: 5000 });
const waiting = db.prepare("select * from outbox where state = 'waiting' order by id limit 1000");
const settle = db.prepare("update outbox set state = ?, event_id = ?, error = ? where id = ?");

for (let rows = waiting.all(); rows.length > 0; rows = waiting.all()) {
  const cut = rows.find((row) => !isJson(row["event"]));
  if (cut !== undefined) {
    park(cut, "json_invalid");
    continue;
  }
  const events = rows.map((row): EventItem => ({
    ...JSON.parse(String(row["event"])),
    resourceId: row["resource_id"],
    // From the row, so the same at each try: that is what makes trying again safe.
    idempotencyKey: row["idempotency_key"],
  }));
  // One result per row, in order. It does not throw for what a batch meets: that is told as `failed`.
  for await (const result of markethook.events.reportEach(events, {
    timeoutMs: 2000,
    retries: 0,
  })) {
    const row = rows[result.index];
    if (result.status === "failed") giveUp(result.error);
    else if (result.status === "rejected") park(row, result.code);
    else settle.run("sent", result.eventId, null, Number(row?.["id"]));
  }
}

/** A text that was cut, for example by its column. */
function isJson(text: unknown): boolean {
  try {
    return typeof JSON.parse(String(text)) === "object";
  } catch {
    return false;
  }
}

/** It would be refused each time: a person must look at it. */
function park(row: Record<string, unknown> | undefined, code: string): void {
  settle.run("parked", null, code, Number(row?.["id"]));
  console.error(`${String(row?.["idempotency_key"])} is parked: ${code}`);
}

/** The rows stay: the next run sends them again. */
function giveUp(why: Error): never {
  console.error(`the outbox waits: ${why.message}`);
  process.exit(1);
}
