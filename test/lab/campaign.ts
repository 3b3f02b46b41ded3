import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeApiKey } from "@markethook/api/tokens";
import { disguisedUrls, fixedUrls, plantedUrls } from "./fixed-urls.ts";
import { innerKinds } from "./inner-kinds.ts";
import { openInside } from "./network.ts";
import { openOutside, PORTS } from "./outside.ts";
import { publicHosts } from "./public-hosts.ts";
import { rebinding } from "./rebinding.ts";
import type { Counts, Lab, Report } from "./report.ts";
import { LabService } from "./service.ts";
import { createNames } from "./names.ts";
import { victim } from "./victim.ts";

/**
 * The whole run, in namespaces that were made for it: prints one line of JSON, the report. Its input are four
 * numbers: generated URLs, rebinding rounds, public hosts, and of how many fixed strings one is planted.
 */
const [urls = 0, rounds = 0, hosts = 0, plantedOf = 1] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "markethook-lab-"));
const names = createNames();
const inside = await openInside(folder);
const outside = await openOutside(names.zone);
const loopback = await openLoopback();
const service = new LabService(inside, folder, makeApiKey(randomBytes));
await service.start();
const counts: Counts = {};
const lab: Lab = { service, names, outside, counts, faults: [] };

try {
  await fixedUrls(lab);
  await disguisedUrls(lab, urls);
  await innerKinds(lab);
  await rebinding(lab, rounds);
  await publicHosts(lab, hosts);
  await plantedUrls(lab, plantedOf);
  // In the long run only: it takes seconds of the victim's clock.
  if (plantedOf === 1) await victim(lab);
} catch (error) {
  lab.faults.push(String(error));
}

await service.stop();
const report: Report = {
  counts,
  faults: lab.faults,
  trips: [...outside.trips, ...loopback.trips],
  ...inside.traffic(),
  accepted: outside.accepted,
  control: await control(),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
rmSync(folder, { recursive: true });
inside.close();
process.exit(0);

/** Goes where nobody may go, on purpose: had it not been noticed, the run would have shown nothing. */
async function control(): Promise<Report["control"]> {
  const before = inside.traffic();
  const tripsBefore = outside.trips.length + loopback.trips.length;
  const places = [
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
    "fd00:ec2::254",
  ];
  const script = `for (const host of ${JSON.stringify(places)}) {
    const socket = require("node:net").connect(80, host);
    socket.on("error", () => {}).on("connect", () => socket.end("GET / HTTP/1.1\\r\\n\\r\\n"));
  }`;
  const child = inside.run([process.execPath, "-e", script], {});
  await new Promise((resolve) => child.once("exit", resolve));
  const after = inside.traffic();
  return {
    expected: places.length,
    trips: outside.trips.length + loopback.trips.length - tripsBefore,
    loopback: after.loopback - before.loopback,
    opens: after.opens - before.opens,
  };
}

async function openLoopback(): Promise<{ trips: string[] }> {
  const trips: string[] = [];
  const command = [process.execPath, "test/lab/loopback-tripwire.ts", PORTS.join(",")];
  const child = inside.run(command, {});
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error("no tripwires on loopback")));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") resolve();
      else trips.push(line);
    });
  });
  return { trips };
}
