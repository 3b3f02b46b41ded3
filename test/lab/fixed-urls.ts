import {
  disguisedUrl,
  seededRandom,
} from "../../packages/dispatcher/src/guard/testing/disguised-urls.ts";
import {
  ALLOWED_URLS,
  INNER_ANSWERS,
  REFUSED_URLS,
} from "../../packages/dispatcher/src/guard/testing/url-strings.ts";
import { count, each, expect, type Lab } from "./report.ts";
import { create, ended, report, resourceFor } from "./webhooks.ts";
import { PUBLIC_URL } from "./service.ts";

/** Each fixed string over all ways in on which a URL is given: create, change, check, import. */
export async function fixedUrls(lab: Lab): Promise<void> {
  for (const [name, addresses] of Object.entries(INNER_ANSWERS)) {
    lab.names.set(name, () => ({ addresses }));
  }
  const refused = [
    ...Object.values(REFUSED_URLS).flat(),
    ...Object.keys(INNER_ANSWERS).map((name) => `http://${name}/`),
    PUBLIC_URL,
  ];
  const saved = await create(lab, "http://saved.example.com/");
  await each(refused, async (url) => {
    for (const [way, passed] of await allWays(lab, url, saved.body.id ?? "")) {
      count(lab, `fixed URLs: ${way}`);
      expect(lab, !passed, `${way} took ${url}`);
    }
  });
  // A name has to lead somewhere to pass a check; nothing is sent there.
  const hosts = new Set(ALLOWED_URLS.map((url) => URL.parse(url)?.hostname ?? ""));
  for (const host of hosts) lab.names.set(host, () => ({ addresses: ["93.184.216.34"] }));
  await each(ALLOWED_URLS, async (url) => {
    for (const [way, passed] of await allWays(lab, url, saved.body.id ?? "")) {
      count(lab, `allowed URLs: ${way}`);
      // What a chat platform's URL may be is not the guard's to say.
      expect(lab, passed || url.includes("discord"), `${way} refused ${url}`);
    }
  });
}

async function allWays(lab: Lab, url: string, saved: string): Promise<[string, boolean][]> {
  const { service } = lab;
  const resourceId = await resourceFor(lab, 2);
  const record = { kind: "webhook", resourceId, url, secret: "s".repeat(48) };
  const created = await service.call("POST", `/v1/resources/${resourceId}/webhooks`, { url });
  const changed = await service.call("PATCH", `/v1/webhooks/${saved}`, { url });
  const checked = await service.call("POST", "/v1/webhooks/check-url", { url });
  const imported = await service.call("POST", "/v1/import", { records: [record] });
  return [
    ["create", created.status < 300],
    ["change", changed.status < 300],
    ["check-url", checked.body.ok === true],
    ["import", imported.body.results?.[0]?.status !== "rejected" && imported.status < 300],
  ];
}

/** Generated ones: whatever is said of them, nothing may move. */
export async function disguisedUrls(lab: Lab, urls: number): Promise<void> {
  const random = seededRandom(20_260_101);
  const generated = Array.from({ length: urls }, () => disguisedUrl(random));
  const passed: string[] = [];
  await each(generated, async (url) => {
    const { status, body } = await lab.service.call("POST", "/v1/webhooks/check-url", { url });
    expect(lab, status === 200 || status === 422, `check-url answered ${status} to ${url}`);
    count(lab, body.ok === true ? "generated URLs: passed" : "generated URLs: refused");
    if (body.ok === true && passed.length < 200) passed.push(url);
  });
  // What passes is pinged too: the request must go to a public address or nowhere.
  await each(passed, async (url) => {
    const { body } = await create(lab, url);
    if (body.id === undefined) return;
    await lab.service.call("POST", `/v1/webhooks/${body.id}/ping`, {});
    count(lab, "generated URLs: pinged");
  });
}

/**
 * The same strings where no way in was asked: they stand in the store as if saved before there was a guard. Ping,
 * delivery, redelivery and replay judge again.
 */
export async function plantedUrls(lab: Lab, plantedOf: number): Promise<void> {
  const { service } = lab;
  // What no parser reads leads nowhere: no request could be written for it.
  const urls = [PUBLIC_URL, ...Object.values(REFUSED_URLS).flat()]
    .filter((url) => URL.canParse(url))
    .filter((_, index) => index % plantedOf === 0);
  const planted = new Map<string, string>();
  const resources = new Set<string>();
  await each(urls, async (url, index) => {
    const { body, resource } = await create(lab, `http://planted-${index}.example.com/`);
    planted.set(body.id ?? "", url);
    resources.add(resource);
  });
  await service.stop();
  service.plant(planted);
  await service.start();
  await report(lab, resources);
  await each(
    [...planted],
    async ([id, url]) => {
      const ping = await service.call("POST", `/v1/webhooks/${id}/ping`, {});
      expect(lab, ping.body.outcome === "blocked", `ping to ${url}: ${ping.body.outcome}`);
      count(lab, "planted URLs: ping");
      const delivery = await ended(lab, id);
      expect(
        lab,
        delivery.lastOutcome === "blocked",
        `${delivery.lastOutcome} delivered to ${url}`,
      );
      count(lab, "planted URLs: delivery");
      await service.call("POST", `/v1/deliveries/${delivery.id}/redeliver`, {});
      const again = await ended(lab, id, "redelivery");
      expect(lab, again.lastOutcome === "blocked", `${again.lastOutcome} redelivered to ${url}`);
      count(lab, "planted URLs: redelivery");
      const range = { from: 0, to: 4_000_000_000 };
      const replayed = await service.call("POST", `/v1/webhooks/${id}/replay`, range);
      count(lab, "planted URLs: replayed deliveries", replayed.body.sent ?? 0);
      const last = await ended(lab, id, "redelivery", again.id);
      expect(lab, last.lastOutcome === "blocked", `${last.lastOutcome} replayed to ${url}`);
    },
    100,
  );
}
