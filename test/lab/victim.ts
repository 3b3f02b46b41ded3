import { count, each, expect, type Lab } from "./report.ts";

const OWNERS = 100;
const SECONDS = 3;
const PER_SECOND = 20;

/**
 * A hundred owners aim at one machine that never asked for it, each by a name of his own. Counted by the victim's
 * clock.
 */
export async function victim(lab: Lab): Promise<void> {
  const address = "151.7.7.7";
  const ids = Array.from({ length: OWNERS }, (_, index) => index);
  const items = ids.map((i) => ({ id: `v-${i}`, title: "Lab", ownerId: `attacker-${i}` }));
  await lab.service.call("PUT", "/v1/resources", { items });
  await each(ids, async (i) => {
    lab.names.set(`v${i}.victim.example.com`, () => ({ addresses: [address] }));
    const url = `http://v${i}.victim.example.com/?status=503`;
    const { status } = await lab.service.call("POST", `/v1/resources/v-${i}/webhooks`, { url });
    expect(lab, status === 201, `${url}: ${status}`);
  });
  const event = { event: "product.user.purchase", user: { id: 7 } };
  await each(ids, async (i) => {
    await lab.service.call("POST", `/v1/resources/v-${i}/events`, event);
  });
  const from = performance.now();
  while (performance.now() - from < SECONDS * 1000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const arrivals = lab.outside.arrivals.get(address) ?? [];
  count(lab, "victim: requests", arrivals.length);
  for (const at of arrivals) {
    const inSecond = arrivals.filter((other) => other >= at && other < at + 1000).length;
    expect(lab, inSecond <= PER_SECOND, `${inSecond} requests to a victim in one second`);
  }
  expect(lab, arrivals.length > PER_SECOND, `only ${arrivals.length} requests to the victim`);
}
