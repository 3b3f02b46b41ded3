import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { signTestRequest } from "@markethook/receiver/testing";
import { sqlitePlace } from "../places.ts";
import { runCommand, startCommand } from "./command-process.ts";

const SECRET = "ceI2aH0rqmTz41vNQ8yJ5XwLkB7sUdGfP3RoE9tVxAbCnMiZ";
const REQUEST = signTestRequest({ event: "ping", secret: SECRET });
const BODY = Buffer.from(REQUEST.body);
const SIGNATURE = REQUEST.headers["X-Service-Signature"] ?? "";

test("a body from a file or a pipe verifies with its signature, or with all its headers", async (t) => {
  const place = await sqlitePlace();
  t.after(() => place.drop());
  const body = join(place.folder, "body.json");
  const headers = join(place.folder, "headers.txt");
  writeFileSync(body, BODY);
  writeFileSync(
    headers,
    Object.entries(REQUEST.headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(""),
  );
  const [file, pipe, whole] = await Promise.all([
    runCommand(["verify", body, "--secret", SECRET, "--signature", SIGNATURE]),
    startCommand(["verify", "-", "--header", `x-service-signature: ${SIGNATURE}`], {
      input: BODY,
      env: { MARKETHOOK_WEBHOOK_SECRET: SECRET },
    }).ended,
    runCommand([
      "verify",
      body,
      "--secret",
      "old one",
      "--secret",
      SECRET,
      "--headers",
      headers,
      "--json",
    ]),
  ]);
  assert.equal(file.code, 0, file.stderr);
  assert.match(
    file.stdout,
    /^valid: ping of .*\n +by X-Service-Signature\n +Nothing covers webhook-id .*\n$/,
  );
  assert.equal(pipe.code, 0, pipe.stderr);
  assert.equal(whole.code, 0, whole.stderr);
  const { valid, id, matches } = JSON.parse(whole.stdout) as Record<string, unknown>;
  assert.deepEqual([valid, id], [true, "evt_1test000000"]);
  assert.deepEqual(matches, [
    { header: "X-Service-Signature", secretIndex: 1 },
    { header: "webhook-signature", secretIndex: 1 },
  ]);
});

test("a request that does not verify ends with 1, and --explain names the cause", async () => {
  const printed = JSON.stringify(JSON.parse(BODY.toString()), null, 2);
  const text = (body: string) =>
    `POST / HTTP/1.1\r\n${Object.entries(REQUEST.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n${body}`;
  const cases = [
    [
      "wrong secret",
      SECRET.toLowerCase(),
      BODY.toString(),
      /\[signature_mismatch\][^]*\[other_secret\]/,
    ],
    ["re-serialized", SECRET, printed, /\[body_reprinted\]/],
    ["line break added", SECRET, `${BODY.toString()}\n`, /\[newline_added\]/],
    ["blank at the secret's end", `${SECRET} `, BODY.toString(), /\[secret_blanks\]/],
    ["prefix at the secret", `whsec_${SECRET}x`, BODY.toString(), /\[signature_mismatch\]/],
  ] as const;
  await Promise.all(
    cases.map(async ([title, secret, body, expected]) => {
      const { code, stdout } = await runCommand(["verify", "--explain", "--secret", secret], {
        input: text(body),
      });
      assert.equal(code, 1, title);
      assert.match(stdout, expected, title);
    }),
  );
  const plain = await runCommand(["verify", "--secret", "other", "--signature", SIGNATURE], {
    input: BODY,
  });
  assert.equal(plain.code, 1);
  assert.match(plain.stdout, /--explain looks for the likely cause/);
});

test("a wrong signature is named although the other style's fits", async () => {
  const changed = { ...REQUEST.headers, "X-Service-Signature": "0".repeat(64) };
  const headers = Object.entries(changed).flatMap(([name, value]) => [
    "--header",
    `${name}: ${value}`,
  ]);
  const [text, json] = await Promise.all([
    runCommand(["verify", "--secret", SECRET, ...headers, "--explain"], { input: BODY }),
    runCommand(["verify", "--secret", SECRET, ...headers, "--json"], { input: BODY }),
  ]);
  assert.equal(text.code, 1);
  assert.match(
    text.stdout,
    /^invalid: X-Service-Signature does not fit .*webhook-signature fits\./,
  );
  assert.equal(json.code, 1);
  const { valid, wrong } = JSON.parse(json.stdout) as Record<string, unknown>;
  assert.deepEqual([valid, wrong], [false, ["X-Service-Signature"]]);
});

test("the time of sending is judged as of --now, within --tolerance", async () => {
  const late = signTestRequest({ event: "ping", secret: SECRET, now: () => 1_700_000_000_000 });
  const headers = Object.entries(late.headers)
    .filter(([name]) => name.startsWith("webhook-"))
    .flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
  const verdict = async (...more: string[]) =>
    await runCommand(["verify", "--secret", SECRET, ...headers, ...more], {
      input: Buffer.from(late.body),
    });
  const [now, then, wide] = await Promise.all([
    verdict(),
    verdict("--now", "2023-11-14T22:13:30Z"),
    verdict("--now", "1700001000", "--tolerance", "20m"),
  ]);
  assert.deepEqual([now.code, then.code, wide.code], [1, 0, 0]);
  assert.match(now.stdout, /\[timestamp_out_of_tolerance\]/);
});

test("empty input, a missing file and a missing header are said in a sentence", async () => {
  const [empty, missing, bare, folder] = await Promise.all([
    runCommand(["verify", "--secret", SECRET]),
    runCommand(["verify", "nothing.json", "--secret", SECRET]),
    runCommand(["verify", "--secret", SECRET], { input: BODY }),
    runCommand(["verify", "packages", "--secret", SECRET]),
  ]);
  assert.deepEqual(
    [empty, missing, bare, folder].map(({ code }) => code),
    [2, 2, 2, 2],
  );
  assert.match(empty.stderr, /^markethook: There is nothing to verify: the input is empty\./);
  assert.match(missing.stderr, /^markethook: There is no file nothing\.json\.\n$/);
  assert.match(bare.stderr, /^markethook: A body alone cannot be verified/);
  assert.match(folder.stderr, /is a folder, not a file/);
});
