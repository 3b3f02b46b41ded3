import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SAMPLES } from "./samples.ts";

const SECRET = "Vt7Qm2Zx9Lk4Rp8Ws3Yb6Nc1Hd5Jf0GaTe4Ui8Oo2Pq6Xz3C";
const BODY =
  '{"event":"ping","time":1,"nonce":"AbCdEfGhIjKlMnOp","payload":{"product":{"title":"Größe 🎉"}}}';
const SIGNATURE = createHmac("sha256", SECRET).update(BODY).digest("hex");
const folder = mkdtempSync(join(tmpdir(), "markethook-samples-"));
const children: ChildProcess[] = [];

after(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function codeOf(id: string): string {
  const sample = SAMPLES.find((one) => one.id === id);
  assert.ok(sample);
  return sample.write("X-Market-Signature");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}

/** Asks until the sample listens. */
async function post(port: number, signature: string): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers: { "x-market-signature": signature, "webhook-id": "evt_1" },
        body: BODY,
      });
      return answer.status;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

for (const [id, command, file] of [
  ["node", process.execPath, "receiver.mjs"],
  ["python", "python3", "receiver.py"],
] as const) {
  const isThere = spawnSync(command, ["--version"]).status === 0;
  test(
    `the sample for ${id} accepts a signed request and refuses a forged one`,
    { skip: !isThere },
    async () => {
      const path = join(folder, file);
      writeFileSync(path, codeOf(id));
      const port = await freePort();
      children.push(
        spawn(command, [path], {
          stdio: "ignore",
          env: {
            PATH: process.env["PATH"],
            HOME: folder,
            WEBHOOK_SECRET: SECRET,
            PORT: String(port),
          },
        }),
      );
      assert.equal(await post(port, SIGNATURE), 204);
      assert.equal(await post(port, SIGNATURE.replaceAll("a", "b")), 401);
      assert.equal(await post(port, ""), 401);
    },
  );
}

test(
  "the openssl line prints the signature",
  { skip: spawnSync("openssl", ["version"]).status !== 0 },
  () => {
    writeFileSync(join(folder, "body.json"), BODY);
    const line = /^signature=\$\((.*)\)$/m.exec(codeOf("openssl"))?.[1] ?? "";
    const { stdout } = spawnSync("sh", ["-c", line], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], WEBHOOK_SECRET: SECRET },
    });
    assert.equal(stdout.trim(), SIGNATURE);
  },
);

test("the PHP sample reads the header under the name that PHP gives it", () => {
  assert.match(codeOf("php"), /\$_SERVER\['HTTP_X_MARKET_SIGNATURE'\]/);
});
