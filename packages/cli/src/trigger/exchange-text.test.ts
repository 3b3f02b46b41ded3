import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlText, rawRequest } from "./exchange-text.ts";
import { recordedRequest, resignedRequest } from "./recorded-request.ts";

const URL = "http://receiver.example/a?b=1";

test("the curl command means the same bytes to a shell, quotes, line breaks and odd bytes included", () => {
  for (const body of [
    Buffer.from(`{"a":"it's $HOME \`x\` \\n"}\n`),
    Buffer.from([0, 0xff, 0x27]),
    Buffer.from("@file"),
  ]) {
    const command = curlText({ url: URL, headers: [["X-A", "b'c"]], body });
    // A function in curl's place prints what it was told to post.
    const script = `curl() { for one in "$@"; do case "$previous" in --data-raw | --data-binary) data="$one";; esac; previous="$one"; done; if [ "$data" = @- ]; then cat; else printf %s "$data"; fi; }\n${command}`;
    assert.deepEqual(execFileSync("bash", ["-c", script]), body);
  }
});

test("the raw form has request line, headers and body as on the wire", () => {
  const raw = rawRequest({
    url: URL,
    headers: [["Host", "receiver.example"]],
    body: Buffer.from("{}"),
  });
  assert.equal(raw.toString(), "POST /a?b=1 HTTP/1.1\r\nHost: receiver.example\r\n\r\n{}");
});

const RECORDED = {
  receivedAt: 0,
  method: "POST",
  url: "/old",
  headers: [
    ["Host", "old.example"],
    ["webhook-id", "evt_1"],
    ["x-service-signature", "0"],
    ["X-Service-Signature-Next", "0"],
    ["Content-Length", "2"],
    ["X-A", "1"],
    ["X-A", "2"],
  ],
  body: Buffer.from("{}"),
} as const;

test("a recorded request keeps all headers but those of its connection", () => {
  assert.deepEqual(recordedRequest(RECORDED, URL).headers, [
    ["Host", "receiver.example"],
    ["webhook-id", "evt_1"],
    ["x-service-signature", "0"],
    ["X-Service-Signature-Next", "0"],
    ["X-A", "1"],
    ["X-A", "2"],
    ["Content-Length", "2"],
    ["Connection", "keep-alive"],
  ]);
});

test("signed again it has the signatures of the given secrets and no others", () => {
  const names = (secrets: string[]) =>
    resignedRequest(RECORDED, URL, secrets, "Service").headers.map(([name]) => name.toLowerCase());
  assert.ok(!names(["k"]).includes("x-service-signature-next"));
  assert.ok(names(["k", "l"]).includes("x-service-signature-next"));
  assert.equal(names(["k"]).filter((name) => name === "x-service-signature").length, 1);
});
