import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";
import { fillDisk, onSmallDisk, whyNoSmallDisk } from "../small-disk.ts";

const DISK = "24m";
const MOST_REPORTS = 2000;

async function startReceiver(t: TestContext) {
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { payload } = JSON.parse(Buffer.concat(parts).toString()) as {
        payload: { user: { id: number } };
      };
      arrivals.push(payload.user.id);
      response.writeHead(204).end();
    });
  });
  const port = await listenOnLoopback(server);
  t.after(() => server.close().closeAllConnections());
  return { arrivals, url: `http://127.0.0.1:${port}/` };
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await pause(50);
}

test("a full disk refuses reports and loses nothing; with room again all goes on by itself", async (t) => {
  const place = await sqlitePlace();
  t.after(place.drop);
  const reason = whyNoSmallDisk(place.folder);
  if (reason !== null) {
    t.skip(reason);
    return;
  }
  const { arrivals, url } = await startReceiver(t);
  const service = await startServiceProcess(place.env, onSmallDisk(place.folder, DISK));
  t.after(async () => {
    await service.kill();
  });
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "o" });
  await service.api("POST", "/resources/castle/webhooks", { url });
  const report = async (userId: number): Promise<Response> =>
    await fetch(`${service.address}/v1/resources/castle/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ event: "product.user.purchase", user: { id: userId } }),
    });
  const ready = async (): Promise<Response> => await fetch(`${service.address}/readyz`);

  const giveRoom = fillDisk(`/proc/${service.pid}/root${place.folder}`);
  const accepted: number[] = [];
  let refused: { status: number; code: unknown } | null = null;
  for (let userId = 1; userId <= MOST_REPORTS && refused === null; userId += 1) {
    const response = await report(userId);
    const body = (await response.json()) as { code?: unknown };
    if (response.status === 202) accepted.push(userId);
    else refused = { status: response.status, code: body.code };
  }
  assert.deepEqual(refused, { status: 503, code: "storage_full" });
  assert.ok(accepted.length > 0);

  // Reports go on, as a marketplace's would; readiness says what is wrong.
  await until(async () => (await report(MOST_REPORTS + 1)).status === 503 && !(await ready()).ok);
  t.diagnostic(`${accepted.length} accepted before; readyz: ${await (await ready()).text()}`);

  giveRoom();
  await until(async () => (await ready()).ok);
  let last: Response | undefined;
  await until(async () => {
    last = await report(MOST_REPORTS + 2);
    return last.status === 202;
  });
  accepted.push(MOST_REPORTS + 2);
  await until(() => accepted.every((userId) => arrivals.includes(userId)));
  assert.deepEqual(
    arrivals.filter((userId) => !accepted.includes(userId)),
    [],
    "what was refused arrived",
  );
});
