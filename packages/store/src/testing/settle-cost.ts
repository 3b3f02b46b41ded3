import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRandomId, makeSecret } from "@markethook/protocol";
import { budget, event } from "../conformance/reports.ts";
import { delivered, retried, RULE } from "../conformance/settlements.ts";
import { openPostgres } from "../postgres/open.ts";
import type { QueuedDelivery, Settlement } from "../port/deliveries.ts";
import type { Store } from "../port/store.ts";
import { openSqlite } from "../sqlite/open.ts";
import { createTestDatabase, startPostgres } from "./postgres-server.ts";

/**
 * Shows what it costs to settle failed and delivered outcomes, in batches of 100 over 100 webhooks, in turns:
 * `node packages/store/src/testing/settle-cost.ts`. Prints, asserts nothing.
 */
const WEBHOOKS = 100;
const BATCHES = 20;
const ROUNDS = Number(process.argv[2] ?? 6);
const OPTIONS = { baseUrl: "https://market.example", masterKeys: [new Uint8Array(32).fill(1)] };

function failed(delivery: QueuedDelivery): Settlement {
  return { ...retried(delivery, 60_000), health: { kind: "failed", badRequest: false } };
}

const KINDS = { delivered, failed } as const;

async function measure(name: string, store: Store, serverCpuMs: () => number): Promise<void> {
  const { instanceNo } = await store.instances.start("settle cost", "0");
  const resources = Array.from({ length: WEBHOOKS }, (_, no) => `r${no}`);
  await store.resources.put(
    resources.map((id) => ({ id, ownerId: "o", title: "Castle", subtitle: "" })),
  );
  for (const resourceId of resources) {
    const id = makeRandomId("wh_", randomBytes);
    const secret = makeSecret(randomBytes);
    const url = "https://receiver.example/";
    await store.webhooks.create(
      { id, resourceId, url, secret, format: "json", events: null, description: "" },
      null,
    );
  }
  let user = 0;
  const micros: Record<string, { service: number; server: number; count: number }> = {};
  for (let round = 0; round < ROUNDS * 2 + 2; round += 1) {
    const kind = round % 2 === 0 ? "delivered" : "failed";
    const batches: QueuedDelivery[][] = [];
    while (batches.length < BATCHES) {
      const items = resources.map((id) => event(id, "purchase", (user += 1)));
      batches.push((await store.events.accept(items, budget(instanceNo))).preLeased);
    }
    const before = process.cpuUsage();
    const serverBefore = serverCpuMs();
    for (const preLeased of batches)
      await store.deliveries.settle(instanceNo, preLeased.map(KINDS[kind]), RULE);
    const { user: usr, system } = process.cpuUsage(before);
    // The first turns warm it up.
    if (round < 2) continue;
    const sum = (micros[kind] ??= { service: 0, server: 0, count: 0 });
    sum.service += usr + system;
    sum.server += (serverCpuMs() - serverBefore) * 1000;
    sum.count += batches.flat().length;
  }
  for (const [kind, { service, server, count }] of Object.entries(micros)) {
    console.log(
      `${name}, ${kind}: ${(service / count).toFixed(1)} µs of the service, ${(server / count).toFixed(1)} µs of the server per outcome (${count})`,
    );
  }
  await store.close();
}

const folder = mkdtempSync(join(tmpdir(), "markethook-settle-cost-"));
await measure("SQLite", await openSqlite({ ...OPTIONS, folder }), () => 0);
rmSync(folder, { recursive: true });

const server = await startPostgres();
const database = await createTestDatabase(server.url);
await measure("PostgreSQL", await openPostgres({ ...OPTIONS, url: database.url }), () =>
  cpuMs(server.pid),
);
await database.drop();
await server.stop();

function cpuMs(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(entry) !== pid && Number(fields[1]) !== pid) continue;
      // Of children that have ended, too, as of an automatic vacuum.
      for (const field of fields.slice(11, 15)) ticks += Number(field);
    } catch {
      // It has ended.
    }
  }
  return ticks * 10;
}
