import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlCommand } from "./curl.ts";

const request = {
  method: "POST",
  url: "https://bot.example/hooks?ids[a]=1&q={b,c}&b='2'",
  headers: [
    ["Host", "bot.example"],
    ["Content-Type", "application/json"],
    ["Content-Length", "17"],
    ["X-Market-Signature", "ab12"],
  ],
  body: `{"title":"It's $5 \\ \n`,
};

test("a shell reads the command as the request that was sent, without what curl adds by itself", () => {
  const text = curlCommand(request);
  const seen = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${text}`]);
  assert.deepEqual(seen.toString().split("\0").slice(0, -1), [
    "-g",
    "-sS",
    "-i",
    "-X",
    "POST",
    request.url,
    "-H",
    "Content-Type: application/json",
    "-H",
    "X-Market-Signature: ab12",
    "--data-raw",
    request.body,
  ]);
});
