import assert from "node:assert/strict";
import { test } from "node:test";
import { withCode } from "./conformance/world.ts";
import { createSeal } from "./seal.ts";

const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

test("what is sealed opens again, and is sealed otherwise every time", () => {
  const seal = createSeal([one]);
  for (const plain of ["", "secret", "ü€😀".repeat(200)]) {
    const sealed = seal.seal(plain, "wh_1");
    assert.equal(seal.open(sealed, "wh_1"), plain);
    assert.notEqual(seal.seal(plain, "wh_1"), sealed);
    assert.ok(plain === "" || !sealed.includes(plain));
  }
});

test("a sealed text that is moved to another row does not open, whether or not it was opened in its own", () => {
  const seal = createSeal([one]);
  const sealed = seal.seal("secret", "wh_1");
  assert.throws(() => seal.open(sealed, "wh_2"), withCode("master_key_wrong"));
  assert.equal(seal.open(sealed, "wh_1"), "secret");
  assert.throws(() => seal.open(sealed, "wh_2"), withCode("master_key_wrong"));
  assert.equal(seal.open(sealed, "wh_1"), "secret");
});

test("what is remembered is told apart by what was sealed, and by which key", () => {
  const seals = [createSeal([one]), createSeal([two]), createSeal([two, one])];
  const sealed = seals.flatMap((seal, no) =>
    ["", "a", "b", "ü".repeat(100)].map((plain) => {
      const text = seal.seal(plain + no, "wh_1");
      return { text, plain: plain + no };
    }),
  );
  const all = createSeal([two, one]);
  for (const round of [1, 2]) {
    for (const { text, plain } of sealed) assert.equal(all.open(text, "wh_1"), plain, `${round}`);
  }
});

test("the first key seals and all of them open, so a key can be replaced", () => {
  const old = createSeal([one]).seal("secret", "wh_1");
  const both = createSeal([two, one]);
  assert.equal(both.open(old, "wh_1"), "secret");
  assert.equal(createSeal([two]).open(both.seal("secret", "wh_1"), "wh_1"), "secret");
});

test("a missing key is told from a text that was damaged", () => {
  const sealed = createSeal([one]).seal("secret", "wh_1");
  assert.throws(() => createSeal([two]).open(sealed, "wh_1"), withCode("master_key_missing"));
  const [version, id, text = ""] = sealed.split(".");
  const other = text.startsWith("A") ? "B" : "A";
  for (const damaged of [`${other}${text.slice(1)}`, text.slice(0, 8), ""]) {
    assert.throws(
      () => createSeal([one]).open(`${version}.${id}.${damaged}`, "wh_1"),
      withCode("master_key_wrong"),
      damaged,
    );
  }
  for (const nonsense of ["", "s1", `s2.${id}.${text}`]) {
    assert.throws(() => createSeal([one]).open(nonsense, "wh_1"), withCode("master_key_missing"));
  }
});

test("a key has 32 bytes, and there is at least one", () => {
  assert.throws(() => createSeal([new Uint8Array(31)]), RangeError);
  assert.throws(() => createSeal([]), withCode("master_key_missing"));
});
