import assert from "node:assert/strict";
import { test } from "node:test";
import { SUSPECT_ALONE_FROM } from "@markethook/store";
import { createMarks } from "./suspect-marks.ts";

function setUp() {
  const marked: number[] = [];
  const marks = createMarks({
    async markStarted(_instanceNo, leases) {
      const seqs = leases.map(({ seq }) => seq);
      marked.push(...seqs);
      return seqs;
    },
  });
  const suspect = (seq: number, suspicion: number) => ({ seq, lease: 1, suspicion });
  return { marks, marked, suspect };
}

test("one that goes alone is marked when the outcomes of those before it are stored: it must be the only one", async () => {
  const { marks, marked, suspect } = setUp();
  await Promise.all([marks.mark(1, suspect(1, 1)), marks.mark(1, suspect(2, 3))]);
  const alone = marks.mark(1, suspect(3, SUSPECT_ALONE_FROM));
  marks.settled(1);
  await new Promise(setImmediate);
  assert.deepEqual(marked, [1, 2]);
  marks.settled(2);
  assert.equal(await alone, true);
  assert.deepEqual(marked, [1, 2, 3]);
});

test("it does not wait for what was marked under an instance that is lost", async () => {
  const { marks, marked, suspect } = setUp();
  await marks.mark(1, suspect(1, 1));
  const alone = marks.mark(2, suspect(2, SUSPECT_ALONE_FROM));
  marks.lost();
  assert.equal(await alone, true);
  assert.deepEqual(marked, [1, 2]);
});
