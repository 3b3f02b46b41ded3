import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { startHangingReceiver } from "../hanging-receiver.ts";
import { setUpMarketplace } from "../marketplace.ts";
import { sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

/** Levels were numbers, no line named its instance, and ids were the store's numbers. */
test("the line of a failed attempt has the API's ids, its level as a word and the instance's name", async (t) => {
  const place = await sqlitePlace();
  const receiver = await startHangingReceiver();
  const service = await startServiceProcess({ ...place.env, MARKETHOOK_BLOCK_PORTS: "25" });
  t.after(async () => {
    service.signal("SIGKILL");
    await place.drop();
  });
  await setUpMarketplace(service.address, apiKey, "castle", [`http://127.0.0.1:${receiver.port}/`]);
  await receiver.close();
  const failed = service.logged("attempt failed");
  const event = { event: "product.user.purchase", user: { id: 1 } };
  const path = "/resources/castle/events";
  const { eventId } = await service.api("POST", path, event);
  await failed;
  const line = service.log.find(({ msg }) => msg === "attempt failed");
  const { items } = await service.api("GET", "/deliveries");
  const [delivery] = items as { id: string }[];
  assert.deepEqual(
    [line?.["deliveryId"], line?.["eventId"], line?.["level"], line?.["instance"]],
    [delivery?.id, eventId, "info", `${hostname()}:${service.pid}`],
  );
});
