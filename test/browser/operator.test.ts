import assert from "node:assert/strict";
import { before, test } from "node:test";
import { hasNoViolation } from "./has-no-violation.ts";
import { openPage, skipsWithoutNetwork } from "./open-page.ts";
import { browser, receiver, service, shop, useService } from "./use-service.ts";

useService(() => ({
  MARKETHOOK_EMBED_ORIGINS: `http://localhost:${receiver.port}`,
  // What fails stays so.
  MARKETHOOK_RETRY_SCHEDULE: "1h",
}));

before(async () => {
  await service.api("PUT", "/resources/castle", { title: "Castle", ownerId: "owner-1" });
  await service.api("PUT", "/resources/foreign", { title: "Foreign", ownerId: "owner-2" });
  for (const id of ["castle", "foreign"]) {
    await service.api("POST", `/resources/${id}/webhooks`, { url: `${receiver.url}/${id}` });
  }
});

test("the operator's page opens with a key, refuses a wrong one, and follows what happens", async () => {
  await using page = await openPage(`${service.address}/operator/`);
  await page.getByLabel("API key").fill("mh_wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("This key is not accepted").waitFor();
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  for (const name of ["Due now", "Oldest due", "Sent per second", "Store", "Master keys"]) {
    await page.getByText(name, { exact: true }).waitFor();
  }
  await page.getByRole("heading", { name: "Instances" }).waitFor();
  await page.getByText("No attempt in the last 15 minutes.").waitFor();
  await shop.buy("castle");
  await page
    .getByRole("region", { name: "Attempts by host" })
    .getByRole("row", { name: /127\.0\.0\.1.*Accepted.*1/ })
    .waitFor();
  // What happened, in the words of the audit log and the metrics, in whatever language the page is.
  await page
    .getByRole("region", { name: "Changes" })
    .getByText("webhook.create", { exact: true })
    .first()
    .waitFor();
  // The charts show the same.
  await page
    .getByRole("list", { name: "Failures by host" })
    .getByText(/0 failed of 1/)
    .waitFor();
  await page
    .getByRole("list", { name: "Heartbeats" })
    .getByText(/heartbeat \d+ s ago/)
    .waitFor();
  for (const name of ["Rate", "Lag", "Backlog", "Open"]) {
    await page.getByRole("img", { name: new RegExp(`^${name}.*now .* over the last`) }).waitFor();
  }
  await page.getByRole("listbox", { name: "Activity, step by step" }).waitFor();
  await page.getByRole("button", { name: "Forget the key" }).click();
  await page.getByLabel("API key").waitFor();
});

test("the operator's page names the owner whose server fails and how, and says when it accepts a ping", async () => {
  receiver.status = 503;
  await shop.buy("foreign", 1, 2);
  await using page = await openPage(`${service.address}/operator/`);
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  await page
    .getByRole("region", { name: "Failing webhooks" })
    .getByRole("row", { name: /owner-2 http_error 503 127\.0\.0\.1:\d+ .*wh_/ })
    .waitFor();
  receiver.status = 200;
  const [webhook] = (await service.api("GET", "/resources/foreign/webhooks"))["items"] as {
    id: string;
  }[];
  await service.api("POST", `/webhooks/${webhook?.id}/ping`, {});
  await page
    .getByRole("region", { name: "Failing webhooks" })
    .getByRole("row", { name: /owner-2 Ping accepted with 200/ })
    .waitFor();
});

test("the operator's page fits a phone, and axe finds nothing on it", async () => {
  await using page = await openPage(`${service.address}/operator/`, {
    viewport: { width: 360, height: 740 },
  });
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("listbox", { name: "Activity, step by step" }).waitFor();
  await page.getByRole("list", { name: "Heartbeats" }).waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels wide`);
  await hasNoViolation(page);
});

test("a session shows its owner's webhooks and nothing of others", async () => {
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: /^http/ }).first().waitFor();
  assert.equal(await page.getByText("foreign").count(), 0);
  assert.doesNotMatch(page.url(), /code=/);
  const foreign = (await service.api("GET", "/webhooks?ownerId=owner-2"))["items"] as {
    id: string;
  }[];
  await page.evaluate((id) => {
    location.hash = `#/webhooks/${id}`;
  }, foreign[0]?.id);
  await page.getByText("There is nothing here").waitFor();
});

test("a link opens once; a tab of its own has no session, and one that has lost it knows the way back", async () => {
  const link = await service.link({ returnUrl: "https://market.example/resource/castle" });
  await using page = await openPage(link);
  await page.getByRole("link", { name: "Back to your resource" }).waitFor();
  await using other = await openPage(`${service.address}/portal/`);
  await other.getByText("Open this page from your resource").waitFor();
  const { items } = await service.api("GET", "/portal-sessions");
  for (const { id } of items as { id: string }[]) {
    await service.api("DELETE", `/portal-sessions/${id}`);
  }
  await page.getByText("Your session has ended").waitFor();
  await page.reload();
  await page.getByText("Open this page from your resource").waitFor();
  const back = page.getByRole("link", { name: "Back to your resource" });
  assert.equal(await back.getAttribute("href"), "https://market.example/resource/castle");
  await using again = await openPage(link);
  await again.getByText("This link has been used or is too old").waitFor();
});

test("a revoked session ends on the open page", async () => {
  await using page = await openPage(await service.link());
  await page.getByText("Each sends what happens").waitFor();
  const { items } = await service.api("GET", "/portal-sessions");
  for (const { id } of items as { id: string }[]) {
    await service.api("DELETE", `/portal-sessions/${id}`);
  }
  await page.getByText("Your session has ended").waitFor();
});

test("while the service cannot be reached the page says so, and catches up afterwards", async (t) => {
  await using page = await openPage(await service.link());
  await page.getByRole("link", { name: /^http/ }).first().waitFor();
  if (await skipsWithoutNetwork(t, page)) return;
  // The other pages' code is fetched once the first page stands.
  await page.waitForFunction(() => {
    const fetched = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
    const parts = [...links].map(({ href }) => href);
    return (
      parts.some((href) => href.includes("delivery-log")) &&
      parts.every((href) => fetched.has(href))
    );
  });
  await page.context().setOffline(true);
  await page.getByText("You are offline").waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByText("cannot be reached").waitFor();
  await page.context().setOffline(false);
  await page.getByText("You are offline").waitFor({ state: "detached" });
  await page
    .getByRole("list", { name: "Deliveries" })
    .or(page.getByText("Nothing sent yet"))
    .waitFor();
});

test("only listed origins may show the pages in a frame, and the operator's page nowhere", async () => {
  const frames: Record<string, string> = {
    portal: await service.link(),
    operator: `${service.address}/operator/`,
  };
  const shows = async (host: string, name: string): Promise<boolean> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    receiver.type = "text/html";
    receiver.text = `<iframe width="900" height="600" src="${frames[name]}"></iframe>`;
    await page.goto(`http://${host}:${receiver.port}/around`);
    const frame = page.frames()[1];
    // The page around it may be told to be there before its frame is.
    await frame?.waitForURL((url) => url.href !== "about:blank", { waitUntil: "commit" });
    const isRefused = frame?.url().startsWith("chrome-error:") === true;
    if (!isRefused) await frame?.getByRole("heading", { level: 1 }).waitFor();
    await context.close();
    return !isRefused;
  };
  assert.equal(await shows("127.0.0.1", "portal"), false);
  assert.equal(await shows("localhost", "portal"), true);
  assert.equal(await shows("localhost", "operator"), false);
});
