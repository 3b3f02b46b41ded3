import { after, before, beforeEach, describe } from "node:test";
import { testAccept } from "./accept.ts";
import { testApiKeysAndNotices } from "./api-keys-and-notices.ts";
import { testAttemptCounts } from "./attempt-counts.ts";
import { testAudit } from "./audit.ts";
import { testChats } from "./chats.ts";
import { testPreLeasedWebhooks } from "./pre-leased-webhooks.ts";
import { testClaim } from "./claim.ts";
import { testClockSetBack } from "./clock-set-back.ts";
import { testCountSums } from "./count-sums.ts";
import { testDamagedTexts } from "./damaged-texts.ts";
import { testDeliveryLog } from "./delivery-log.ts";
import { testDeliverySearch } from "./delivery-search.ts";
import { testDuplicates } from "./duplicates.ts";
import { testEarlyBacklog } from "./early-backlog.ts";
import { testEarlySending } from "./early-sending.ts";
import { testErasure } from "./erasure.ts";
import { testFailureCounts } from "./failure-counts.ts";
import { testFailures } from "./failures.ts";
import { testGivenUp } from "./given-up.ts";
import { testHealth } from "./health.ts";
import type { OpenHarness } from "./harness.ts";
import { testHosts } from "./hosts.ts";
import { testHugeNumbers } from "./huge-numbers.ts";
import { testHeldDeliveries } from "./held-deliveries.ts";
import { testImpossibleRows } from "./impossible-rows.ts";
import { testImportSales } from "./import-sales.ts";
import { testImports } from "./imports.ts";
import { testLongLog } from "./long-log.ts";
import { testMaintenance } from "./maintenance.ts";
import { testMissing } from "./missing.ts";
import { testNoticePosts } from "./notice-posts.ts";
import { testNoticeRetention } from "./notice-retention.ts";
import { testOrder } from "./order.ts";
import { testOwnersTimes } from "./owners-times.ts";
import { testPortalSessions } from "./portal-sessions.ts";
import { testRedelivery } from "./redelivery.ts";
import { testResources } from "./resources.ts";
import { testRescue } from "./rescue.ts";
import { testSuspects } from "./suspects.ts";
import { testSettle } from "./settle.ts";
import { testStateMachine } from "./state-machine.ts";
import { testStoredEvents } from "./stored-events.ts";
import { testUpdates } from "./updates.ts";
import { testWebhookSecrets } from "./webhook-secrets.ts";
import { testWebhooks } from "./webhooks.ts";
import { World } from "./world.ts";

type Aggregate = readonly [name: string, define: (w: World) => void];

/** Those of a line share a database, because making one takes as long as most of their tests. */
const SHARED: readonly (readonly Aggregate[])[] = [
  [
    ["accepting", testAccept],
    ["webhooks that come along", testPreLeasedWebhooks],
    ["duplicates", testDuplicates],
    ["updates", testUpdates],
    ["order", testOrder],
    ["claiming", testClaim],
    ["settling", testSettle],
  ],
  [
    ["rescue", testRescue],
    ["poison suspects", testSuspects],
    ["webhooks", testWebhooks],
    ["webhook secrets", testWebhookSecrets],
    ["webhooks of chats", testChats],
    ["held deliveries", testHeldDeliveries],
    ["resources", testResources],
  ],
  [
    ["owners' times", testOwnersTimes],
    ["sales in imports", testImportSales],
    ["health", testHealth],
    ["failures that are only counted", testFailureCounts],
    ["failures, grouped", testFailures],
    ["delivery log", testDeliveryLog],
    ["searching the log", testDeliverySearch],
    ["redelivery", testRedelivery],
  ],
  [
    ["sending before its time", testEarlySending],
    ["what was early before", testEarlyBacklog],
    ["what is missing", testMissing],
    ["API keys and notices", testApiKeysAndNotices],
    ["portal sessions", testPortalSessions],
    ["attempt counts", testAttemptCounts],
    ["hosts", testHosts],
    ["stored events and what became of them", testStoredEvents],
  ],
];
/** These look at all rows, damage some, or move the clock by years. */
const ALONE: readonly Aggregate[] = [
  ["impossible rows", testImpossibleRows],
  ["damaged texts", testDamagedTexts],
  ["impossible numbers", testHugeNumbers],
  ["imports", testImports],
  ["deliveries given up", testGivenUp],
  ["a long log", testLongLog],
  ["maintenance", testMaintenance],
  ["a clock that is set back", testClockSetBack],
  ["posting notices", testNoticePosts],
  ["how long notices are kept", testNoticeRetention],
  ["sums of attempt counts", testCountSums],
  ["the audit log", testAudit],
  ["erasing a person", testErasure],
  ["the state machine", testStateMachine],
];

/** Runs every behaviour that both databases promise against the store that it is handed. */
export function testStore(name: string, openHarness: OpenHarness): void {
  for (const aggregates of [...SHARED, ...ALONE.map((one) => [one])]) {
    describe(`${name}, a database for ${aggregates.length}`, () => {
      const world = new World();
      before(async () => {
        world.harness = await openHarness();
      });
      beforeEach(async () => await world.quiet());
      after(async () => await world.harness.close());
      for (const [aggregate, define] of aggregates) {
        describe(`${name}: ${aggregate}`, () => define(world));
      }
    });
  }
}
