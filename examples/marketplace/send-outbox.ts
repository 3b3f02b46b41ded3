// Sends the outbox's waiting rows, oldest first, 100 at a time. Run it by cron or in a loop, never in a page request.
// Exit code 0: nothing waits. 1: Markethook cannot be reached or does not take our requests now; run it again later.
import { DatabaseSync } from "node:sqlite";

const { OUTBOX_FILE = "market.sqlite", WEBHOOKS_URL = "", WEBHOOKS_KEY = "" } = process.env;
const db = new DatabaseSync(OUTBOX_FILE, { timeout: 5000 });
const waiting = db.prepare("select * from outbox where state = 'waiting' order by id limit ?");
const settle = db.prepare("update outbox set state = ?, event_id = ?, error = ? where id = ?");
let limit = 100;

for (let rows = waiting.all(limit); rows.length > 0; rows = waiting.all(limit)) {
  const cut = rows.find((row) => !isJson(row["event"]));
  if (cut !== undefined) {
    park(cut, "json_invalid");
    continue;
  }
  const events = rows.map((row) => ({
    ...JSON.parse(String(row["event"])),
    resourceId: row["resource_id"],
    // From the row, so the same at each try: that is what makes trying again safe.
    idempotencyKey: row["idempotency_key"],
  }));
  const { status, answer } = await post({ events }).catch((error: unknown) => giveUp(error));
  if ((status === 413 || status === 400) && answer.code !== undefined) {
    // Too large, or one of them cannot be read: fewer at a time, until that one is alone.
    if (rows.length === 1) park(rows[0], answer.code);
    limit = rows.length === 1 ? 100 : Math.ceil(rows.length / 2);
    continue;
  }
  if (status !== 202 || answer.results === undefined) giveUp(`${status} ${answer.code ?? ""}`);
  for (const [i, { status: result, eventId = null, code = null }] of answer.results.entries()) {
    // Duplicate: an earlier try had stored it.
    if (result === "rejected") park(rows[i], code);
    else settle.run("sent", eventId, null, Number(rows[i]?.["id"]));
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
function park(row: Record<string, unknown> | undefined, code: string | null): void {
  settle.run("parked", null, code, Number(row?.["id"]));
  console.error(`${String(row?.["idempotency_key"])} is parked: ${code}`);
}

async function post(body: object) {
  const response = await fetch(`${WEBHOOKS_URL}/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${WEBHOOKS_KEY}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(2000),
  });
  type Result = { status: string; eventId?: string; code?: string };
  const answer = (await response.json()) as { code?: string; results?: Result[] };
  return { status: response.status, answer };
}

/** The rows stay: the next run sends them again. */
function giveUp(why: unknown): never {
  console.error(`the outbox waits: ${String(why)}`);
  process.exit(1);
}
