import { readFileSync, readdirSync } from "node:fs";
import { startWorld } from "../src/rig/world.ts";
import { startService, addWebhooks, type StoreKind } from "../src/rig/service.ts";
import { flood } from "../src/rig/measure.ts";
import { bareLoop } from "../src/cases/ceilings.ts";
const [k = "sqlite", args = "", ev = "100000", ba = "100", inf = "8", paused = ""] = process.argv.slice(2);
const kind = k as StoreKind; const events = Number(ev);
const world = await startWorld();
await bareLoop(world, 50000);
console.log("bare", Math.round(await bareLoop(world, 100000)));
const service = await startService(kind, world.postgres, args.split(" ").filter(Boolean));
const resources = await addWebhooks(service, { name: "bench", count: Number(process.env.W ?? 100), port: world.port, addresses: world.addresses, paused: paused !== "" });
const th = () => Object.fromEntries(readdirSync(`/proc/${service.pid}/task`).map((t) => { const s = readFileSync(`/proc/${service.pid}/task/${t}/stat`, "utf8"); const f = s.slice(s.lastIndexOf(")") + 2).split(" "); return [t + s.slice(s.indexOf("(") + 1, s.lastIndexOf(")")), (Number(f[11]) + Number(f[12])) / 100]; }));
for (let i = 0; i < 4; i++) {
  const b = th();
  const t = await flood(world, service, { resources, events, batch: Number(ba), inFlight: Number(inf), deliveries: paused === "" });
  const a = th();
  console.log("acc", Math.round(t.acceptedPerSecond), "del", Math.round(t.deliveredPerSecond), JSON.stringify(t.cpu, (k, v) => typeof v === "number" ? Math.round(v * 100) / 100 : v), t.memory, "|", Object.keys(a).map((k) => [k.replace(/^\d+/, ""), ((a[k]! - (b[k] ?? 0)) / events * 1e6).toFixed(1)]).filter(([, v]) => Number(v) > 0.3).map((x) => x.join(" ")).join(", "));
}
await service.stop(); await world.stop();
