import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectConfig } from "./config.ts";

const SECRET = { MARKETHOOK_NOTICES_SECRET: "A".repeat(48) };

test("an address to which paths are added has no name, password, query or fragment", () => {
  for (const name of ["MARKETHOOK_BASE_URL", "MARKETHOOK_PUBLIC_URL"]) {
    for (const wrong of [
      "https://user:hush@market.example",
      "https://user@market.example",
      "https://market.example/?hush=1",
      "https://market.example?",
      "https://market.example/#hush",
      "ftp://market.example",
    ]) {
      const { faults } = inspectConfig({ [name]: wrong });
      assert.deepEqual([wrong, ...faults.map((fault) => fault.name)], [wrong, name]);
      assert.doesNotMatch(faults[0]?.sentence ?? "", /hush/);
    }
  }
});

test("an address to which paths are added is written in one way, without a slash at its end", () => {
  const read = (value: string) => inspectConfig({ MARKETHOOK_BASE_URL: value }).config.baseUrl;
  assert.equal(read("https://market.example"), "https://market.example");
  assert.equal(read("https://Market.Example:443/shop/"), "https://market.example/shop");
  assert.equal(read("http://127.0.0.1:8082//"), "http://127.0.0.1:8082");
});

test("notices may be posted to an address with a query, and not with a fragment", () => {
  const faults = (url: string) =>
    inspectConfig({ ...SECRET, MARKETHOOK_NOTICES_URL: url }).faults.map(({ name }) => name);
  assert.deepEqual(faults("https://market.example/notices/?to=a"), []);
  assert.ok(faults("https://market.example/notices#a").includes("MARKETHOOK_NOTICES_URL"));
});
