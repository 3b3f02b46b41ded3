import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { makeApiKey } from "@markethook/api";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { failedStart, startDevelopmentProcess } from "../development-process.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

/** One for the tests that leave it as it is. */
let place: Awaited<ReturnType<typeof sqlitePlace>>;
let run: Awaited<ReturnType<typeof startDevelopmentProcess>>;
before(async () => {
  place = await sqlitePlace();
  run = await startDevelopmentProcess(place.env);
});
after(async () => {
  await run.stop();
  await place.drop();
});

const noCurl =
  spawnSync("curl", ["--version"]).status === 0 ? false : "there is no curl on this machine";

test("npm start opens on a resource's page, whose Webhooks button shows the owner's page in a frame that may stand there", async () => {
  const { page } = run;
  const shown = await (await fetch(page)).text();
  assert.match(
    shown,
    /<h1><bdi>Sample Plugin<\/bdi><\/h1>.*href="\/resource\/sample-plugin\/webhooks"/s,
  );

  const webhooks = await fetch(`${page}/webhooks`);
  const [, frame = ""] = /<iframe\s+src="([^"]+)"/.exec(await webhooks.text()) ?? [];
  assert.ok(frame.startsWith(`${run.address}/portal/#code=`), frame);
  const policy = webhooks.headers.get("content-security-policy") ?? "";
  assert.match(policy, new RegExp(`frame-src ${run.address}$`));
  const portal = await fetch(frame);
  const { origin } = new URL(page);
  const allowed = portal.headers.get("content-security-policy") ?? "";
  assert.ok(/frame-ancestors ([^;]+)/.exec(allowed)?.[1]?.split(" ").includes(origin), allowed);

  // The resource's page is where payloads say it is.
  const headers = { authorization: `Bearer ${run.key}` };
  const resource = await fetch(`${run.address}/v1/resources/sample-plugin`, { headers });
  const { url, fileVersion } = (await resource.json()) as Record<string, unknown>;
  assert.equal(url, page);
  assert.equal((fileVersion as { version: string } | null)?.version, "1.1");
});

test("a second start in the same folder names the process that uses it, and not the ports, which that has too", async () => {
  const { code, said } = await failedStart({
    ...place.env,
    MARKETHOOK_PORT: new URL(run.address).port,
    MARKETHOOK_SAMPLE_MARKETPLACE_PORT: new URL(run.page).port,
  });
  assert.equal(code, 1, said);
  assert.match(said, /is used by process \d+ on .*MARKETHOOK_DATA_DIR.*\[data_dir_in_use\]/);
});

test(
  "the line that npm start prints reports a purchase that arrives signed at the sample receiver, and data survive a restart",
  { skip: noCurl },
  async () => {
    const reported = JSON.parse(execFileSync("sh", ["-c", run.curl], { encoding: "utf8" })) as {
      eventId: string;
    };
    await run.printed(
      new RegExp(
        `receiver: verified product.user.purchase of “Sample Plugin” by user 42 · ${reported.eventId}`,
      ),
    );
    assert.equal(await run.stop(), 0);

    const { key } = run;
    run = await startDevelopmentProcess(place.env);
    assert.equal(run.key, key);
    const response = await fetch(`${run.address}/v1/deliveries`, {
      headers: { authorization: `Bearer ${run.key}` },
    });
    const { items } = (await response.json()) as { items: { eventId: string; state: string }[] };
    assert.deepEqual(
      items.map(({ eventId, state }) => [eventId, state]),
      [[reported.eventId, "delivered"]],
    );
  },
);

test("what is bought in the sample marketplace arrives at the sample receiver with the order's details", async () => {
  const bought = await fetch(`${run.page}/buy`, {
    method: "POST",
    headers: { cookie: "market-who=42" },
    body: new URLSearchParams(),
    redirect: "manual",
  });
  assert.equal(bought.status, 303);
  const order = new URL(bought.headers.get("location") ?? "", run.page).searchParams.get("report");
  await run.printed(
    new RegExp(
      `^receiver: verified product.user.purchase .* by user 42 \\(Ada, \\S+ EUR, ${order}\\)`,
    ),
  );
});

test("a port that is taken ends the start, and names the setting", async (t) => {
  const place = await sqlitePlace();
  const taken = createServer();
  const port = await listenOnLoopback(taken);
  t.after(async () => {
    taken.close();
    await place.drop();
  });
  for (const name of ["MARKETHOOK_SAMPLE_MARKETPLACE_PORT", "MARKETHOOK_SAMPLE_PORT"]) {
    const { code, said } = await failedStart({ ...place.env, [name]: String(port) });
    assert.equal(code, 1, said);
    assert.match(said, new RegExp(`${port} \\(${name}\\) is taken by.*\\[address_in_use\\]`));
  }
});

for (const [name, makePlace] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  test(`${name}: a database that the service began is refused by development mode, and nothing is added to it`, async (t) => {
    const place = await makePlace();
    t.after(() => place.drop());
    const folder = place.env["MARKETHOOK_DATA_DIR"] ?? "";
    const service = await startServiceProcess(place.env);
    service.signal("SIGTERM");
    assert.equal(await service.exited, 0);
    const files = readdirSync(folder);
    const { code, said } = await failedStart(place.env);
    assert.equal(code, 2, said);
    assert.match(said, /was not made by development mode.*\[config_invalid\]/s);
    assert.deepEqual(readdirSync(folder), files);
  });

  test(`${name}: development mode starts again after a first start that was cut short, and without its sample resource`, async (t) => {
    const place = await makePlace();
    t.after(() => place.drop());
    // The key is stored, and the sample resource is not yet.
    const taken = createServer();
    const port = await listenOnLoopback(taken);
    t.after(() => taken.close());
    const { said } = await failedStart({ ...place.env, MARKETHOOK_SAMPLE_PORT: String(port) });
    assert.match(said, /\[address_in_use\]/);

    const run = await startDevelopmentProcess(place.env);
    const headers = { authorization: `Bearer ${run.key}` };
    const url = `${run.address}/v1/resources/sample-plugin`;
    assert.equal((await fetch(url, { method: "DELETE", headers })).status, 204);
    assert.equal(await run.stop(), 0);
    const again = await startDevelopmentProcess(place.env);
    assert.equal(await again.stop(), 0);
  });
}

test("development mode starts again with a key from the setting", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const env = { ...place.env, MARKETHOOK_API_KEY: makeApiKey(randomBytes) };
  for (let start = 0; start < 2; start += 1) {
    const run = await startDevelopmentProcess(env);
    assert.equal(await run.stop(), 0);
  }
});
