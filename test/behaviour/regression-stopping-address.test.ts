import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

test("a portal session that is asked for while the service stops gets its address", async (t) => {
  const place = await sqlitePlace();
  const service = await startServiceProcess(place.env);
  t.after(async () => {
    service.signal("SIGKILL");
    await place.drop();
  });
  const port = Number(new URL(service.address).port);
  const socket = connect(port, "127.0.0.1");
  const body = JSON.stringify({ ownerId: "1001" });
  socket.write(
    `POST /v1/portal-sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // It was taken, and waits for its body.
  await once(socket, "data");
  service.signal("SIGTERM");
  while (await isListening(port)) await pause(5);
  socket.write(body);
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 201 /);
  assert.ok(answer.includes(`"url":"${service.address}/portal/#code=`));
  assert.equal(await service.exited, 0);
});

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  return await promise.finally(() => socket.destroy());
}
