import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { only } from "../conformance/checks.ts";
import { DAY, delivered } from "../conformance/settlements.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

/** Stands for a slow database: the clock of the statement that looks for unused events waits for this lock. */
const SLOW_CLOCK = `
  create or replace function mh_now() returns bigint language plpgsql volatile as $$ begin
    if current_query() like '%update of e skip locked%' then
      perform pg_advisory_lock_shared(1);
      perform pg_advisory_unlock_shared(1);
    end if;
    return floor(extract(epoch from clock_timestamp()) * 1000);
  end $$`;

/** A redelivery took longer than the retention, and ended while the statement ran that deletes its event. */
test("pruning leaves the event of a redelivery that was being stored meanwhile", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const { instanceNo, shop } = await w.shopAndInstance();
  const delivery = await w.acceptOne(shop.id, instanceNo);
  await w.settle(instanceNo, [delivered(delivery)]);

  await harness.tamper(SLOW_CLOCK);
  await harness.tamper("select pg_advisory_lock(1)");
  await harness.tamper("begin; select 1 from audit_head for update");
  const again = w.store.log.redeliver(deliveryId(delivery), null, true);
  await harness.tamper(untilSomeWait());
  const pruning = w.store.maintenance.prune(0, DAY, 100);
  await harness.tamper(untilSomeWait(2));
  await harness.tamper("commit");
  await again;
  await harness.tamper("select pg_advisory_unlock(1)");
  await pruning;
  assert.equal(only(await w.claimAll(instanceNo)).eventSeq, delivery.eventSeq);
});
