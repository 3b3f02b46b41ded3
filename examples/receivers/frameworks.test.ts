/** The receivers with frameworks are run as they stand in this folder, and as the documentation quotes them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "@markethook/protocol/testing";
import { samplePayload } from "@markethook/receiver/testing";
import { onDemand } from "../../tools/on-demand/install.ts";
import { type RunningReceiver, startReceiver } from "./start-receiver.ts";
import { tryStrangers } from "./strangers.ts";
import { GONE, post, SECRET, sign, tryReceiver } from "./trials.ts";

const root = join(import.meta.dirname, "../..");
const OF_FRAMEWORKS = ["express", "hono", "@hono/node-server"];
const folder = mkdtempSync(join(tmpdir(), "markethook-frameworks-"));
const running: RunningReceiver[] = [];
let missing: string | null = null;

/** What Next.js does with a route: hands it a Request, and sends what it answers. */
const NEXT_SERVER = `
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { POST } from "./next-route.ts";

createServer(async (request, response) => {
  const { url, method, headers } = request;
  const body = Readable.toWeb(request);
  const answer = await POST(
    new Request("http://127.0.0.1" + url, { method, headers, body, duplex: "half" }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("Listening on it"));
`;

/** As in an owner's own project: the programs find their packages in `node_modules`. */
before(async () => {
  for (const file of ["express.mjs", "hono.mjs", "fastify.mjs", "next-route.ts"]) {
    cpSync(join(import.meta.dirname, file), join(folder, file));
  }
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "next-server.mjs"), NEXT_SERVER);
  link("@markethook/receiver", join(root, "packages/receiver"));
  link("fastify", join(root, "node_modules/fastify"));
  try {
    const installed = await onDemand("frameworks");
    for (const name of OF_FRAMEWORKS) link(name, join(installed, "node_modules", name));
  } catch (error) {
    missing = error instanceof Error ? error.message : String(error);
  }
});
after(async () => {
  await Promise.all(running.map((receiver) => receiver.stop()));
  rmSync(folder, { recursive: true });
});

function link(name: string, to: string): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(to, place);
}

async function start(file: string, secret: string | null, port?: number): Promise<RunningReceiver> {
  const receiver = await startReceiver({
    command: process.execPath,
    arguments: [join(folder, file)],
    port: port ?? (await freePort()),
    secret,
    ready: /^Listening on/,
  });
  running.push(receiver);
  return { ...receiver, url: receiver.url.replace("/any/path", "/webhooks") };
}

const PROGRAMS = [
  { title: "Fastify", file: "fastify.mjs", fetched: false },
  { title: "Express", file: "express.mjs", fetched: true },
  { title: "Hono", file: "hono.mjs", fetched: true },
];

for (const { title, file, fetched } of PROGRAMS) {
  test(`the receiver with ${title} takes what is signed, refuses what is forged or old, and acts once`, async (t) => {
    if (fetched && missing !== null) return t.skip(missing);
    await tryReceiver(await start(file, SECRET));
  });

  test(`the receiver with ${title} goes on after senders that go away, say nothing, or send too much`, async (t) => {
    if (fetched && missing !== null) return t.skip(missing);
    await tryStrangers(await start(file, SECRET));
  });

  test(`the receiver with ${title} acts on each event of a sender that sends no ids`, async (t) => {
    if (fetched && missing !== null) return t.skip(missing);
    const code = readFileSync(join(folder, file), "utf8");
    writeFileSync(
      join(folder, `old-${file}`),
      code.replace("secrets:", 'require: "service", secrets:'),
    );
    const { url, says } = await start(`old-${file}`, SECRET);
    for (const id of [1, 2]) {
      const payload = { ...samplePayload("product.user.purchase"), user: { id } };
      assert.equal(await post(url, sign({ payload }), GONE), 204);
      await says(`user ${id} bought`);
    }
  });

  test(`the receiver with ${title} says that its port is taken`, async (t) => {
    if (fetched && missing !== null) return t.skip(missing);
    const other = createServer().listen(0, "127.0.0.1");
    t.after(() => other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo; // It listens on a port.
    await assert.rejects(start(file, SECRET, port), /EADDRINUSE/);
  });

  test(`the receiver with ${title} does not start without a secret`, async (t) => {
    if (fetched && missing !== null) return t.skip(missing);
    for (const secret of ["", null]) await assert.rejects(start(file, secret), /secret/);
  });
}

test("the route of Next.js takes what is signed, refuses what is forged or old, and acts once", async () => {
  await tryReceiver(await start("next-server.mjs", SECRET));
});

test("the route of Next.js is loaded without a secret, as a build does, and then takes nothing", async () => {
  const { url } = await start("next-server.mjs", null);
  assert.ok((await post(url, sign())) >= 400);
});
