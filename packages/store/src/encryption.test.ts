import assert from "node:assert/strict";
import { test } from "node:test";
import { withCode } from "./conformance/checks.ts";
import { createEncryption } from "./encryption.ts";

const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

test("what is encrypted opens again, and is encrypted otherwise every time", () => {
  const encryption = createEncryption([one]);
  for (const plain of ["", "secret", "ü€😀".repeat(200)]) {
    const encrypted = encryption.encrypt(plain, "wh_1");
    assert.equal(encryption.decrypt(encrypted, "wh_1"), plain);
    assert.notEqual(encryption.encrypt(plain, "wh_1"), encrypted);
    assert.ok(plain === "" || !encrypted.includes(plain));
  }
});

test("an encrypted text that is moved to another row does not open, whether or not it was opened in its own", () => {
  const encryption = createEncryption([one]);
  const encrypted = encryption.encrypt("secret", "wh_1");
  assert.throws(() => encryption.decrypt(encrypted, "wh_2"), withCode("master_key_wrong"));
  assert.equal(encryption.decrypt(encrypted, "wh_1"), "secret");
  assert.throws(() => encryption.decrypt(encrypted, "wh_2"), withCode("master_key_wrong"));
  assert.equal(encryption.decrypt(encrypted, "wh_1"), "secret");
});

test("what is remembered is told apart by what was encrypted, and by which key", () => {
  const encrypts = [createEncryption([one]), createEncryption([two]), createEncryption([two, one])];
  const encrypted = encrypts.flatMap((encryption, no) =>
    ["", "a", "b", "ü".repeat(100)].map((plain) => {
      const text = encryption.encrypt(plain + no, "wh_1");
      return { text, plain: plain + no };
    }),
  );
  const all = createEncryption([two, one]);
  for (const round of [1, 2]) {
    for (const { text, plain } of encrypted)
      assert.equal(all.decrypt(text, "wh_1"), plain, `${round}`);
  }
});

test("more texts than are remembered are decrypted as well, round after round, each in its own row only", () => {
  const encryption = createEncryption([one], 3);
  const rows = Array.from({ length: 10 }, (_, no) => `wh_${no}`);
  const encrypted = rows.map((row) => ({ row, text: encryption.encrypt(`secret of ${row}`, row) }));
  for (const { row, text } of [...encrypted, ...encrypted.toReversed(), ...encrypted]) {
    assert.equal(encryption.decrypt(text, row), `secret of ${row}`);
    assert.throws(() => encryption.decrypt(text, "wh_other"), withCode("master_key_wrong"));
  }
});

test("the first key encrypts and all of them open, so a key can be replaced", () => {
  const old = createEncryption([one]).encrypt("secret", "wh_1");
  const both = createEncryption([two, one]);
  assert.equal(both.decrypt(old, "wh_1"), "secret");
  assert.equal(createEncryption([two]).decrypt(both.encrypt("secret", "wh_1"), "wh_1"), "secret");
});

test("a missing key is told from a text that was damaged", () => {
  const encrypted = createEncryption([one]).encrypt("secret", "wh_1");
  assert.throws(
    () => createEncryption([two]).decrypt(encrypted, "wh_1"),
    withCode("master_key_missing"),
  );
  const [version, id, text = ""] = encrypted.split(".");
  const other = text.startsWith("A") ? "B" : "A";
  for (const damaged of [`${other}${text.slice(1)}`, text.slice(0, 8), ""]) {
    assert.throws(
      () => createEncryption([one]).decrypt(`${version}.${id}.${damaged}`, "wh_1"),
      withCode("master_key_wrong"),
      damaged,
    );
  }
  for (const nonsense of ["", "s1", `s2.${id}.${text}`]) {
    assert.throws(
      () => createEncryption([one]).decrypt(nonsense, "wh_1"),
      withCode("master_key_missing"),
    );
  }
});

test("a key has 32 bytes, and there is at least one", () => {
  assert.throws(() => createEncryption([new Uint8Array(31)]), RangeError);
  assert.throws(() => createEncryption([]), withCode("master_key_missing"));
});
