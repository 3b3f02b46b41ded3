import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { execute } from "@markethook/store/testing";
import type { Throughput } from "../rig/measure.ts";
import { addWebhooks, type Service, startService, type StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { batched } from "./store-rates.ts";

export interface Pending {
  empty: Throughput;
  full: Throughput;
}

/** The rate of new events while the same webhooks have many deliveries waiting for a retry, against none. */
export async function pending(world: World, kind: StoreKind, sizes: Sizes): Promise<Pending> {
  let service = await startService(kind, world.postgres);
  try {
    const { port, addresses } = world;
    const place = { count: sizes.pendingWebhooks, port, addresses };
    const resources = await addWebhooks(service, { ...place, name: "pending" });
    await batched(world, service, resources, sizes.warmUpEvents);
    const empty = await batched(world, service, resources, sizes.batchedEvents);
    service = await service.restart(() => fill(service, sizes));
    await batched(world, service, resources, sizes.warmUpEvents);
    return { empty, full: await batched(world, service, resources, sizes.batchedEvents) };
  } finally {
    await service.stop();
  }
}

/** Beyond what the run itself numbers, and other buyers than its own. */
const FIRST = 2 ** 42;

/** As if each webhook's receiver had been away for a while: retries that are due in some hours. */
async function fill(service: Service, sizes: Sizes): Promise<void> {
  const count = sizes.pending;
  const statement = (series: string, now: string): string =>
    `insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, attempts, step, created_at)
     select ${FIRST} + i, (select min(seq) from events), w.no, 2, ${FIRST} + i, ${now} + 7200000 + i, 4, 4, ${now}
     from ${series} join (select no, row_number() over (order by no) as place from webhooks) w
       on w.place = 1 + i % ${sizes.pendingWebhooks}`;
  if (service.databaseUrl === null) {
    const file = new DatabaseSync(join(service.folder, "markethook.sqlite"));
    const series = `(with recursive s(i) as (select 1 union all select i + 1 from s where i < ${count}) select i from s)`;
    file.exec(statement(series, String(Date.now())));
    file.close();
  } else {
    const series = `generate_series(1, ${count}) as s(i)`;
    await execute(service.databaseUrl, statement(series, "mh_now()"));
    await execute(service.databaseUrl, "analyze");
  }
}
