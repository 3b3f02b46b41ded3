import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { softwareBill } from "./pack-sbom.ts";

const ROOT = join(import.meta.dirname, "..");
const module = (path: string): string => join(ROOT, "node_modules", path);

test("the bill of materials names what was bundled and what the pages are built from, with checksums", () => {
  const own = { version: "1.2.3", license: "MIT" };
  const modules = [
    module("fastify/fastify.js"),
    `\0${module("fastify/lib/route.js")}`,
    join(ROOT, "packages/server/src/main.ts"),
  ];
  const bill = softwareBill(ROOT, own, modules);
  assert.deepEqual([bill.bomFormat, bill.specVersion], ["CycloneDX", "1.6"]);
  assert.equal(bill.metadata.component.purl, "pkg:npm/markethook@1.2.3");
  const names = bill.components.map(({ name }) => name);
  for (const name of ["fastify", "@fastify/swagger-ui", "react", "react-dom", "@mantine/core"]) {
    assert.equal(names.filter((one) => one === name).length, 1, name);
  }
  assert.ok(!names.some((name) => name.startsWith("@markethook/") || name === "typescript"));
  for (const { name, purl, version, hashes, licenses } of bill.components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/, name);
    assert.ok(purl.endsWith(`@${version}`));
    assert.equal(hashes?.[0]?.alg, "SHA-512", name);
    assert.match(hashes[0].content, /^[0-9a-f]{128}$/, name);
    assert.ok(!JSON.stringify(licenses).includes("NOASSERTION"), name);
  }
  assert.deepEqual(softwareBill(ROOT, own, modules), bill, "the same again");
});
