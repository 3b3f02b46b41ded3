import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SECURITY_CONTACT } from "../built-command.ts";
import { deadLinks } from "../dead-links.ts";
import { sqlitePlace } from "../places.ts";
import { size } from "../size.ts";
import { startCommand } from "./command-process.ts";

const BILL = "markethook-0.1.0.cdx.json";

/** As anyone who publishes does. `npm test` has built the command already, and only packs it. */
function pack(folder: string): void {
  const built = size(process.env["MARKETHOOK_TEST_COMMAND"], undefined);
  if (built === undefined) {
    execFileSync(process.execPath, [
      "tools/pack.ts",
      "--security-contact",
      SECURITY_CONTACT,
      folder,
    ]);
    return;
  }
  const unpacked = join(dirname(built), "..");
  const options = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...options], { cwd: unpacked, stdio: "pipe" });
  cpSync(join(unpacked, "..", BILL), join(folder, BILL));
}

test("the packed tarball installs without a network, serves on SQLite, and delivers to its own receiver", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const { folder } = place;
  pack(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync(
    "npm",
    [
      "install",
      "--offline",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "./markethook-0.1.0.tgz",
    ],
    { cwd: folder, stdio: "pipe" },
  );
  const home = join(folder, "node_modules/markethook");
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as object;
  assert.ok(!("dependencies" in manifest));
  const licences = readFileSync(join(home, "THIRD-PARTY-LICENCES.txt"), "utf8");
  for (const name of ["fastify", "pg", "kysely", "pino", "commander", "Swagger UI"]) {
    assert.match(licences, new RegExp(`^${name}[ ,].*\\((MIT|Apache-2\\.0)\\)`, "m"));
  }

  const bill = readFileSync(join(home, "sbom.cdx.json"), "utf8");
  assert.equal(readFileSync(join(folder, BILL), "utf8"), bill);
  for (const name of ["fastify", "pg", "kysely", "react", "@mantine/core"]) {
    assert.ok(bill.includes(`"name": "${name}"`), name);
  }
  assert.ok(readFileSync(join(home, "SECURITY.md"), "utf8").includes(`<${SECURITY_CONTACT}>`));
  // Log lines and findings name pages of the documentation, and an upgrade begins with the changelog.
  for (const page of [
    "CHANGELOG.md",
    "docs/how-to/watch-the-service.md",
    "docs/reference/doctor.md",
    "deploy/alerts.yml",
  ]) {
    assert.equal(readFileSync(join(home, page), "utf8"), readFileSync(page, "utf8"));
  }
  assert.deepEqual(deadLinks(home, globSync("**/*.md", { cwd: home })), []);

  const installed = [process.execPath, join(folder, "node_modules/.bin/markethook")];
  const made = await startCommand(["make-key"], {}, installed).ended;
  const key = made.stdout.trim();
  const service = startCommand(
    ["serve"],
    {
      env: {
        ...place.env,
        MARKETHOOK_BASE_URL: "https://market.example",
        MARKETHOOK_PORT: "0",
        MARKETHOOK_API_KEY: key,
        MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
      },
    },
    installed,
  );
  const secret = "ceI2aH0rqmTz41vNQ8yJ5XwLkB7sUdGfP3RoE9tVxAbCnMiZ";
  const receiver = startCommand(
    ["receive", "--port", "0", "--count", "1", "--secret", secret],
    {},
    installed,
  );
  t.after(() => {
    service.signal("SIGKILL");
    receiver.signal("SIGKILL");
  });
  const [, address = ""] = await service.printed(/"address":"([^"]+)"/);
  const [, url = ""] = await receiver.printed(/Receiving at (\S+)/);
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${address}/v1/resources/castle${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.text());
  };
  await call("PUT", "", { title: "Castle", ownerId: "1001" });
  await call("POST", "/webhooks", { url, secret });
  await call("POST", "/events", { event: "product.user.purchase", user: { id: 42 } });
  const received = await receiver.ended;
  assert.equal(received.code, 0, received.stderr);
  assert.match(received.stdout, /verified product\.user\.purchase · castle “Castle” · user 42/);

  const page = await fetch(`${address}/docs/`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /assets\/reference-/);
  service.signal("SIGTERM");
  assert.equal((await service.ended).code, 0);
});
