/** What is typed into a shell: a check of one request, and the making of one. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { verify } from "@markethook/receiver/node";
import { signTestRequest, type TestRequest } from "@markethook/receiver/testing";
import { opensslFor } from "../../packages/ui/src/verify/openssl.ts";
import { emptyKey, SECRET, sign } from "./trials.ts";

const folder = mkdtempSync(join(tmpdir(), "markethook-by-hand-"));
after(() => rmSync(folder, { recursive: true }));
const bodyFile = join(folder, "body.json");
const doneFile = join(folder, "done");

const isThere = spawnSync("openssl", ["version"]).status === 0;
const withOpenssl = { skip: isThere ? false : "There is no openssl on the PATH." };

type Headers = Record<string, string | null>;

function check(request: TestRequest, changes: Headers = {}, secret: string | null = SECRET) {
  const headers: Headers = { ...request.headers, ...changes };
  writeFileSync(bodyFile, request.body);
  const { SECRET: _, ...inherited } = process.env;
  const run = spawnSync("sh", [join(import.meta.dirname, "check-request.sh")], {
    encoding: "utf8",
    env: {
      ...inherited,
      BODY_FILE: bodyFile,
      DONE_FILE: doneFile,
      ID: headers["webhook-id"] ?? "",
      TIME: headers["webhook-timestamp"] ?? "",
      STANDARD: headers["webhook-signature"] ?? "",
      SIGNATURE: headers["X-Service-Signature"] ?? "",
      ...(secret === null ? {} : { SECRET: secret }),
    },
  });
  return { status: run.status, said: run.stdout.trim() };
}

test("check-request.sh tells right from forged, old and seen before", withOpenssl, () => {
  writeFileSync(doneFile, "");
  const request = sign({ eventId: "evt_1" });
  const forged = { status: 1, said: "forged" };
  assert.deepEqual(check(request, { "webhook-id": "evt_2" }), forged);
  assert.deepEqual(check(request, { "webhook-signature": null }), forged);
  assert.deepEqual(check(request, { "X-Service-Signature": null }), forged);
  assert.deepEqual(check(request, { "X-Service-Signature": "0".repeat(64) }), forged);
  assert.deepEqual(check(sign({ secret: "b".repeat(48) })), forged);
  assert.deepEqual(check({ ...request, body: Uint8Array.from([...request.body, 32]) }), forged);
  const old = sign({ eventId: "evt_1", now: () => Date.now() - 3_600_000 });
  assert.deepEqual(check(old), { status: 1, said: "too old or too new" });
  assert.deepEqual(check(request), { status: 0, said: "right" });
  const again = { status: 0, said: "right, but seen before" };
  assert.deepEqual(check(sign({ eventId: "evt_1", attempt: 2 })), again);

  const rotated = sign({ eventId: "evt_3", secret: "b".repeat(48), nextSecret: SECRET });
  const next = rotated.headers["X-Service-Signature-Next"] ?? null;
  assert.deepEqual(check(rotated, { "X-Service-Signature": next }), { status: 0, said: "right" });
});

test(
  "check-request.sh says nothing of a request when the secret is empty or unset",
  withOpenssl,
  () => {
    for (const secret of ["", null]) {
      for (const changes of [{}, emptyKey(sign())]) {
        const { status, said } = check(sign(), changes, secret);
        assert.deepEqual([status !== 0, said], [true, ""]);
      }
    }
  },
);

/** Of the page's sample everything but the request that it sends. */
function pageLines(standard: boolean): string {
  const code = opensslFor({ serviceName: "Service", standard });
  assert.match(code, /\ncurl -i /);
  return `${code.replace(/^curl -i [^]*/m, "")}echo "webhook-id: $id"\necho "webhook-timestamp: $time"\n`;
}

test(
  "what the page's openssl lines make is accepted, for either kind of secret",
  withOpenssl,
  () => {
    for (const [secret, standard] of [
      [SECRET, true],
      ["an old secret, not base64!", false],
    ] as const) {
      const request = signTestRequest({ event: "ping", secret });
      writeFileSync(bodyFile, request.body);
      const options = {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, WEBHOOK_SECRET: secret },
      } as const;
      const lines = execFileSync("sh", ["-c", pageLines(standard)], options)
        .trim()
        .split("\n");
      const headers = lines.map((line): [string, string] => {
        const [name = "", ...value] = line.split(": ");
        return [name, value.join(": ")];
      });
      const required = standard ? "standard" : "service";
      const result = verify(readFileSync(bodyFile), headers, secret, { require: required });
      assert.ok(result.ok, JSON.stringify(result));
    }
  },
);

test("the page's openssl lines make nothing when the secret is empty or unset", withOpenssl, () => {
  const { WEBHOOK_SECRET: _, ...unset } = process.env;
  for (const env of [unset, { ...unset, WEBHOOK_SECRET: "" }]) {
    const run = spawnSync("sh", ["-c", pageLines(true)], { cwd: folder, encoding: "utf8", env });
    assert.notEqual(run.status, 0);
    assert.equal(run.stdout, "");
  }
});
