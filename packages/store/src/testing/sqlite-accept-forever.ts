import { event, keyed } from "../conformance/reports.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { openSqlite } from "../sqlite/open.ts";

/**
 * Accepts event after event, several at a time; prints each id that it would have answered 202 with, and when
 * `enough` of them are printed.
 */
const [folder = "", round = "", enough = ""] = process.argv.slice(2);
const store = await openSqlite({ ...TEST_OPTIONS, folder });
const { instanceNo } = await store.instances.start("forever", "1");
await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
let user = 0;
let stored = 0;

async function acceptOn(caller: number): Promise<never> {
  for (;;) {
    user += 1;
    const item = event("r", "purchase", user, keyed(`${round}-${caller}-${user}`));
    const { results } = await store.events.accept([item], {
      instanceNo,
      bytes: 1e9,
      share: 1e9,
      full: [],
      read: [],
    });
    const [result] = results;
    if (result?.kind !== "accepted") continue;
    stored += 1;
    // Waits for a reader that is behind; writing to the descriptor would fail then.
    process.stdout.write(`stored ${result.eventId}\n`);
    if (stored === Number(enough)) process.stdout.write("enough\n");
  }
}

await Promise.all([1, 2, 3, 4].map(acceptOn));
