import { count, each, expect, type Lab, until } from "./report.ts";
import { create, ended, report } from "./webhooks.ts";

/** Twenty kinds of inner target, some with somebody listening and most without. */
const TARGETS = [
  ..."127.0.0.1 127.0.0.2 0.0.0.0 10.0.0.1 10.9.9.9 172.16.0.1 192.168.1.1 169.254.169.254".split(
    " ",
  ),
  ..."100.64.0.1 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 168.63.129.16".split(" "),
  ..."::1 fd00:ec2::254 fe80::1 2001:db8::1 ::ffff:10.0.0.1".split(" "),
  "2002:7f00:1::1",
];

/** To its owner every inner target looks the same: when it is saved, pinged, and when its delivery has ended. When it is checked, a name that is not there looks the same. */
export async function innerKinds(lab: Lab): Promise<void> {
  const saying = new Set<string>();
  const checking = new Set<string>();
  const check = async (url: string) => {
    const { body } = await lab.service.call("POST", "/v1/webhooks/check-url", { url });
    checking.add(JSON.stringify({ ...body, shownUrl: "" }));
  };
  await check("http://absent.example.com/");
  const showing = new Set<string>();
  const targets = TARGETS.map((address, index) => ({ name: `inner${index}.example.com`, address }));
  const webhooks: { id: string; resource: string }[] = [];
  await each(targets, async ({ name, address }) => {
    lab.names.set(name, () => ({ addresses: [address], ttl: 0 }));
    const refused = await create(lab, `http://${name}/`);
    await check(`http://${name}/`);
    saying.add(
      `${refused.status} ${refused.body.code} ${refused.body.title} ${refused.body.detail}`,
    );
    lab.names.set(name, () => ({ addresses: ["93.184.216.34"], ttl: 0 }));
    const saved = await until(`${name} can be saved`, async () => {
      const answer = await create(lab, `http://${name}/`);
      return answer.status === 201 ? answer : null;
    });
    webhooks.push({ id: saved.body.id ?? "", resource: saved.resource });
    lab.names.set(name, () => ({ addresses: [address], ttl: 0 }));
    await until(`${name} leads inside`, async () => {
      const url = `http://${name}/`;
      const { body } = await lab.service.call("POST", "/v1/webhooks/check-url", { url });
      return body.ok === false ? true : null;
    });
  });
  await report(
    lab,
    webhooks.map(({ resource }) => resource),
  );
  await each(webhooks, async ({ id, resource }) => {
    const owner = `ownerId=owner-${resource.slice("lab-".length)}`;
    const ping = await lab.service.call("POST", `/v1/webhooks/${id}/ping?${owner}`, {});
    const delivery = await ended(lab, id);
    const { body } = await lab.service.call("GET", `/v1/deliveries/${delivery.id}?${owner}`);
    const attempts = body.attemptList?.map(({ outcome, status, operatorDetail }) => [
      outcome,
      status,
      operatorDetail,
    ]);
    showing.add(JSON.stringify([ping.body.outcome, ping.body.sentence, attempts]));
    const outcomes = [ping.body.outcome, ...(attempts ?? []).map(([outcome]) => outcome)];
    // The first attempt and the one after it.
    const isBlocked = outcomes.length === 3 && outcomes.every((one) => one === "blocked");
    expect(lab, isBlocked, `to its owner ${id} shows ${outcomes.join(", ")}`);
    count(lab, "inner kinds");
  });
  expect(lab, checking.size === 1, `checking told apart: ${[...checking].join(" / ")}`);
  expect(lab, saying.size === 1, `saving told apart: ${[...saying].join(" / ")}`);
  expect(lab, showing.size === 1, `attempts told apart: ${[...showing].join(" / ")}`);
}
