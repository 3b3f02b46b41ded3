import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeApiKey } from "@markethook/api/tokens";
import { sqlitePlace } from "../places.ts";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";

const CONNECTIONS = 1500;
const HALF_SENT = 100_000;
/** Garbage that has not been collected yet differs from one look to the next; each wave's bodies would be far more. */
const NOISE = 1.3;
const BACK_WITHIN_S = 60;
/** Above what a new service has: less than 32 is not worth a collection, and some code has been loaded. */
const STAYS_MIB = 48;

test(
  "waves of half-sent bodies use the same memory again, and give it back; no descriptor stays",
  { skip: process.platform === "linux" ? false : "/proc is read, which only Linux has" },
  async (t) => {
    const place = await sqlitePlace();
    const key = makeApiKey(randomBytes);
    const service = await startServiceProcess({
      ...place.env,
      MARKETHOOK_BASE_URL: "http://127.0.0.1:1",
      MARKETHOOK_API_KEY: key,
      MARKETHOOK_CLIENT_ADDRESS_CONNECTIONS: "0",
    });
    t.after(async () => {
      await service.kill();
      await place.drop();
    });
    const descriptors = openDescriptors(service);
    const start = residentMiB(service);
    const after: number[] = [];
    for (let waves = 0; waves < 3; waves += 1) {
      await wave(service, key);
      after.push(residentMiB(service));
    }
    const [first = 0, second = 0, third = 0] = after;
    t.diagnostic(`Resident: ${start} MiB, after each wave ${after.join(", ")}.`);
    assert.ok(third <= Math.max(first, second) * NOISE, `MiB after each wave: ${after.join(", ")}`);
    if (!givesBackMemory())
      t.diagnostic("Node 26.1 or later and glibc give memory back; not looked at.");
    for (
      let second = 0;
      givesBackMemory() && residentMiB(service) > start + STAYS_MIB;
      second += 1
    ) {
      assert.ok(second < BACK_WITHIN_S, `${residentMiB(service)} MiB of ${start} after a minute`);
      // Nothing tells of it, and requests in its stead would keep the service from being idle.
      await sleep(1000);
    }
    t.diagnostic(`Resident afterwards: ${residentMiB(service)} MiB.`);
    // The service closes its ends just after the client saw the answer; the test's time limit bounds the wait.
    while (openDescriptors(service) > descriptors + 5) await fetch(`${service.address}/healthz`);
  },
);

/** Until the service has cut them all, as nothing more is sent. */
async function wave(service: ServiceProcess, key: string): Promise<void> {
  const { port } = new URL(service.address);
  const head = [
    "PUT /v1/resources/a HTTP/1.1",
    "Host: a",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Content-Length: 310000",
  ].join("\r\n");
  const bytes = `${head}\r\n\r\n${"x".repeat(HALF_SENT)}`;
  const open = (): Promise<unknown> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
      socket.on("error", () => {});
      socket.resume();
      socket.once("close", resolve);
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, open));
}

function givesBackMemory(): boolean {
  const { header } = process.report.getReport() as { header: Record<string, unknown> }; // Not in the types.
  return (
    "glibcVersionRuntime" in header && process.getBuiltinModule("node:module").isBuiltin("node:ffi")
  );
}

function openDescriptors({ pid }: ServiceProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function residentMiB({ pid }: ServiceProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
