import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { addApiOptions, readApiOptions } from "./connect.ts";

test("options come before the environment, and that before the default", () => {
  const env = { MARKETHOOK_API_URL: "https://hooks.example/p", MARKETHOOK_API_KEY: "of env" };
  const options = addApiOptions(new Command())
    .parse(["--api", "http://127.0.0.1:9/", "--key", "given"], { from: "user" })
    .opts();
  assert.deepEqual(readApiOptions({ env }, options), { url: "http://127.0.0.1:9/", key: "given" });
  assert.deepEqual(readApiOptions({ env }, {}), { url: "https://hooks.example/p", key: "of env" });
  assert.deepEqual(readApiOptions({ env: { MARKETHOOK_API_KEY: "k" } }, {}), {
    url: "http://127.0.0.1:8080",
    key: "k",
  });
});

test("a key that no header can have is refused without being repeated", () => {
  for (const key of ["mh_a\nmh_b", "mh_\u200bsecret"]) {
    assert.throws(() => readApiOptions({ env: { MARKETHOOK_API_KEY: key } }, {}), {
      message: "The API key has a line break, or a character that is not ASCII.",
      exitCode: 2,
    });
  }
  assert.equal(readApiOptions({ env: {} }, { key: "mh_a\n" }).key, "mh_a\n");
});

test("a missing key and a URL that is none are said plainly", () => {
  assert.throws(() => readApiOptions({ env: {} }, {}), {
    message: "The API key is missing.",
    exitCode: 2,
  });
  const env = { MARKETHOOK_API_URL: "127.0.0.1:8080", MARKETHOOK_API_KEY: "k" };
  assert.throws(() => readApiOptions({ env }, {}), {
    message: "MARKETHOOK_API_URL is invalid.",
    advice: /^Write the service's address, such as https:/,
  });
});
